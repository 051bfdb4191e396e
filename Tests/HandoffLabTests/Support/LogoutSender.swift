import Basics
import Handoff
import HandoffLab
import IdentityClient
import JOSE
import Platform

/// The identity provider app's keys in the hands of a test: it says `logout` to a client and collects the answers.
final class LogoutSender: Sendable {
    private let world: LabWorld
    private let process: LabProcess<CommandEndpoint>
    private let answers: Collector

    private actor Collector {
        private var promises: [CommandID: Promise<Command>] = [:]

        func promise(for id: CommandID) -> Promise<Command> {
            let promise = promises[id] ?? Promise()
            promises[id] = promise
            return promise
        }
    }

    init(_ world: LabWorld) async throws {
        self.world = world
        let answers = Collector()
        self.answers = answers
        process = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
            guard case .open(let url) = delivery.content,
                let incoming = try? await endpoint.accept(url, from: delivery.sender),
                let answered = incoming.command.inReplyTo
            else { return }
            await answers.promise(for: answered).fulfil(incoming.command.command)
        }
    }

    /// Says it to the usual client, and returns the answer.
    func logOut(_ request: LogoutRequest, flow: FlowID? = nil) async throws -> Command {
        let id = process.role.newID()
        let flow = try flow ?? FlowID(world.environment.uuid())
        try await process.role.send(.logout(request), to: try world.peer(notes), flow: flow, id: id)
        return try await answers.promise(for: id).value()
    }

    /// Seals it, and sends it twice.
    func logOutTwice(_ request: LogoutRequest) async throws {
        let sealed = try await process.role.seal(
            .logout(request), to: try world.peer(notes), flow: try FlowID(world.environment.uuid()))
        for _ in 1...2 {
            try await process.bus.open(sealed.url, at: notes, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
        }
    }

    func stop() async { await process.stop() }
}

extension LogoutRequest {
    /// The login of an account, in whatever session or in that one.
    init(_ account: UserAccount, session: String? = nil, _ scope: Scope = .device, token: String? = nil) {
        self.init(
            issuer: account.issuer, subject: account.subject, sessionID: session, scope: scope,
            logoutToken: token.map { Secret($0) })
    }
}
