import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// Takes URL commands that came some other way than the bus.
    static let handle = CommandLineInterface.Command(
        "handle", "take a URL command that came by a paste, an argument or an opener",
        details: """
            A command that comes this way counts as opened, not as sent by the app itself, so the person is asked. \
            Where this app runs already, that process takes it; else this one serves until the login has ended.
            """,
        examples: [
            .init("countersign-idp handle @command.txt", "from a file"),
            .init("countersign-idp handle -", "from standard input: paste, then Ctrl-D"),
        ],
        positionals: [Positional("URL", .repeated, "the URL, @FILE, or - for standard input")]
    ) { call in
        let urls = try call.readTexts("URL")
        return try await Device.run(call) { device in
            let manifest = try await device.identityProvider().manifest
            for url in urls { try CommandURL.requireClaimed(url, schemes: manifest.schemes) }
            // Before anything is opened that the process that is the app already could hold.
            let isTaken = try await RunningInstance.take(
                urls, app: manifest.id, of: device.home, try device.request(call))
            if isTaken {
                call.output.result(
                    ["forwarded": .integer(Int64(urls.count))], text: "Handed to the app that runs.")
            } else {
                try await device.handle(urls, call)
                call.output.result(["handled": .integer(Int64(urls.count))], text: "Handled.")
            }
            return .done
        }
    }
}

extension Device {
    /// Serves for as long as the flows of these URLs take.
    fileprivate func handle(_ urls: [String], _ call: Invocation) async throws {
        try requireSomebody(call)
        let server = try await startServer(call, loops: 1)
        do {
            try await withBroker(call) { broker, _ in
                try await broker.start()
                var failure: (any Error)?
                for url in urls {
                    do {
                        try await FlowFailure.naming(await broker.provenFlow(of: url)) {
                            try await broker.handle(url, sender: nil)
                        }
                    } catch {
                        failure = failure ?? error
                    }
                }
                while try await broker.hasFlowsUnderWay() { try await environment.sleep(for: .milliseconds(50)) }
                await broker.stop()
                if let failure { throw failure }
                return .done
            }
            await server.stop(grace: .seconds(1))
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }
}
