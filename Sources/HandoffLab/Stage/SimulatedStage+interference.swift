import Basics
import Handoff
import IdentityClient
import Platform

extension SimulatedStage {
    package func deliver(_ order: DeliveryOrder) async throws {
        let url = try captured.url(of: order, in: cast)
        for _ in 0..<order.times { try await send(url, to: order.at) }
    }

    package func meddle(_ order: MeddlingOrder) async throws {
        try requirePresent(order.name)
        let (meddler, victim, receiver) = try cast.parties(of: order)
        let meddling = try Meddling(
            order, flows: try await flows(of: victim.name), log: try log(of: victim), received: try log(of: receiver))
        let app = try app(of: receiver)
        let urls = try meddling.urls(
            from: try AppID(meddler.appID), signedBy: try await AppKeys.load(from: try self.app(of: meddler).secrets),
            to: try Peer(app.manifest, keys: try await AppKeys.load(from: app.secrets)), environment)
        for url in urls { try await send(url, to: receiver.name) }
    }

    /// Sends a URL to an app, from a connection to its bus that is made for it.
    private func send(_ url: String, to name: String) async throws {
        let connection = try world(of: name).bus.connect(userID: LabWorld.userID)
        try await connection.openAndLeave(url, at: try member(name).appID)
    }

    private func app(of member: Cast.Member) throws -> LabApp { try world(of: member.name).app(member.appID) }

    private func log(of member: Cast.Member) throws -> [TraceEntry] {
        try world(of: member.name).journal.traceLog.entries.filter { $0.app == member.appID }
    }
}
