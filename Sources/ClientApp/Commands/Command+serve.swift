import Basics
import CommandLineInterface
import IdentityClient
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// Stays on the bus as the app, so that invitations reach it.
    static let serve = CommandLineInterface.Command(
        "serve", "stay on the bus as this app",
        details: "Logins, tokens and all other commands work beside it and without it.",
        examples: [
            .init("countersign-client serve", "be reachable for invitations of the identity provider app"),
            .init("countersign-client serve --json", "print one line when ready, for scripts"),
        ],
    ) { call in
        try await ClientSession.run(call) { session in
            try await session.takePlace()
            let manifest = session.open.surroundings.manifest
            await session.client.accounts.observe { account in
                call.output.talk(account.map { "current account: \($0.username)" } ?? "no current account")
            }
            call.output.result(
                ["app": .string(manifest.id), "bus": .string(session.open.bus.address)],
                text: "\(manifest.displayName) (\(manifest.id)) is on the bus.")
            session.tidyNowAndThen()
            try await session.untilStopped()
            return StopSignals.last == .interrupted ? .interrupted : .terminated
        }
    }
}

extension ClientSession {
    /// Becomes the app on the bus; a process of it that the bus has started leaves for this one.
    ///
    /// - Throws: `bus-name-taken` when a person's process is this app already.
    fileprivate func takePlace() async throws {
        if try await join() { return }
        let id = open.surroundings.manifest.id
        guard try await ActivatedApp.makeWay(of: id, on: open.bus, open.surroundings.environment), try await join()
        else { throw Fault(.busNameTaken) }
    }

    func tidyNowAndThen() {
        let environment = open.surroundings.environment
        environment.spawn("tidy") { [client] in
            while true {
                try await environment.sleep(for: .seconds(60))
                // A store that is busy now is tidied the next time.
                try? await client.endOverdueFlows()
                await client.accounts.settleRevocations()
            }
        }
    }

    /// Waits until a stop signal cancels the program, or the bus has gone.
    func untilStopped() async throws {
        do {
            try await open.bus.ended()
            throw Fault(.busUnavailable, "The bus has gone.")
        } catch is CancellationError {
            // The stop signal: what follows is the drain.
        }
    }
}
