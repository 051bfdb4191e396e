import Basics
import CommandLineInterface
import Handoff
import IdentityClient
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// Takes URLs that came some other way than the bus.
    static let handle = CommandLineInterface.Command(
        "handle", "take what came by a paste, an argument or an opener: a URL command, or the return of a login",
        details: """
            A command that comes this way counts as opened, not as sent by the app itself, so the person is asked. \
            Where this app runs already, that process takes it. The address at which a browser ended, on this or \
            another machine, goes to the login that waits for it.
            """,
        examples: [
            .init("countersign-client handle @command.txt", "from a file"),
            .init("countersign-client handle -", "from standard input: paste, then Ctrl-D"),
        ],
        positionals: [Positional("URL", .repeated, "the URL, @FILE, or - for standard input")], options: []
    ) { call in
        let urls = try call.readTexts("URL")
        let home = try ClientSession.home(call)
        let manifest = try home.manifest(of: call.option("--app") ?? ClientSession.defaultApp)
        let returns = urls.filter(LoginReturn.isOne)
        let commands = urls.filter { !LoginReturn.isOne($0) }
        for url in commands { try CommandURL.requireClaimed(url, schemes: manifest.schemes) }
        for url in returns { _ = try await ClientSession.run(call) { try await $0.deliver(returned: url, call) } }
        guard !commands.isEmpty else { return .done }
        // Before anything is opened that the process that is the app already could hold.
        let isTaken = try await RunningInstance.take(
            commands, app: manifest.id, of: home, try ClientSession.request(call))
        if isTaken {
            call.output.result(["forwarded": .integer(Int64(commands.count))], text: "Handed to the app that runs.")
            return .done
        }
        return try await ClientSession.run(call) { session in
            // The answer of the other app comes over the bus, to whoever owns the name.
            try await session.join()
            var failure: (any Error)?
            for url in commands {
                do { try await session.take(url, call) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
            return .done
        }
    }
}

extension ClientSession {
    /// Takes one URL command, and prints what came of it.
    fileprivate func take(_ url: String, _ call: Invocation) async throws {
        let flow = await client.provenFlow(of: url)
        let result = try await FlowFailure.naming(flow) {
            try await client.handleIdentityProviderCommand(from: url)
        }
        guard let (account, info) = result else {
            return call.output.result(["handled": true, "flow": flow.map(JSONValue.string) ?? .null], text: "Handled.")
        }
        _ = show(account, flow: info.flow, call, "The current account is \(account.username).")
    }

    /// Delivers the address at which a browser ended to the login that waits at its port.
    fileprivate func deliver(returned url: String, _ call: Invocation) async throws -> ExitStatus {
        let status: Int
        do {
            status = try await open.surroundings.http.send(HTTPCall("GET", url)).status
        } catch ErrorCode.httpUnreachable {
            throw Fault(.noLoginWaits)
        }
        guard status == 200 else { throw Fault(.returnRefused) }
        call.output.result(["delivered": true], text: "Delivered. The login goes on where it was begun.")
        return .done
    }
}

/// The address at which a browser ends after a login in it (RFC 8252 §7.3).
private enum LoginReturn {
    static func isOne(_ url: String) -> Bool {
        url.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]{1,5}\/callback\?[!-~]+/) != nil
    }
}
