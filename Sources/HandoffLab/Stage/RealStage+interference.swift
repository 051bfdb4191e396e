import Basics
import Handoff
import IdentityClient
import LinuxPlatform
import Platform

extension RealStage {
    package func deliver(_ order: DeliveryOrder) async throws {
        try await bus(of: order.from).catchUp(environment)
        let url = try captured.url(of: order, in: cast)
        for _ in 0..<order.times { try await send(url, to: order.at) }
    }

    package func meddle(_ order: MeddlingOrder) async throws {
        try requirePresent(order.name)
        let (meddler, victim, receiver) = try cast.parties(of: order)
        let meddling = try Meddling(
            order, flows: try await flows(of: victim.name), log: try entries(of: victim),
            received: try entries(of: receiver))
        let home = try Home.open(at: home(of: receiver.name).path, isDefault: false)
        let urls = try meddling.urls(
            from: try AppID(meddler.appID), signedBy: try await keys(of: meddler),
            to: try Peer(try home.manifest(of: receiver.appID), keys: try await keys(of: receiver)), environment)
        for url in urls { try await send(url, to: receiver.name) }
    }

    private func send(_ url: String, to name: String) async throws {
        try await bus(of: name).send(url, to: try member(name).appID)
    }

    /// An app's keys: the home is this user's, and so are they.
    private func keys(of member: Cast.Member) async throws -> AppKeys {
        let secrets = try await FileSecretStore.open(
            directory: home(of: member.name).secrets(of: member.appID), environment: environment)
        do {
            let keys = try await AppKeys.load(from: secrets)
            await secrets.close()
            return keys
        } catch {
            await secrets.close()
            throw error
        }
    }

    private func entries(of member: Cast.Member) throws -> [TraceEntry] {
        try log(of: member.appID, in: home(of: member.name)).compactMap(TraceEntry.init)
    }
}
