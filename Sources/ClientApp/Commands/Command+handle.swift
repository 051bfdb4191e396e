import Basics
import CommandLineInterface
import IdentityClient
import Platform

extension CommandLineInterface.Command {
    /// Takes a URL command that came some other way than the bus.
    static let handle = CommandLineInterface.Command(
        "handle", "take a URL command that came by a paste or an argument",
        details: "A URL that comes this way counts as opened, not as sent by the app itself, so the person is asked.",
        examples: [
            .init("countersign-client handle @command.txt", "from a file"),
            .init("countersign-client handle -", "from standard input"),
        ],
        positionals: [Positional("URL", "the URL, @FILE, or - for standard input")], options: []
    ) { call in
        let url = try call.readText("URL") ?? ""
        return try await ClientSession.run(call) { session in
            guard session.client.claims(url) else {
                throw Fault(.notForThisApp)
            }
            // The answer of the other app comes over the bus, to whoever owns the name.
            try await session.join()
            guard let (account, info) = try await session.client.handleIdentityProviderCommand(from: url) else {
                call.output.result(["handled": true], text: "Handled.")
                return .done
            }
            return session.show(account, flow: info.flow, call, "The current account is \(account.username).")
        }
    }
}
