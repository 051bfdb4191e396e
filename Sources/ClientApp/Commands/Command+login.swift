import Basics
import CommandLineInterface
import Handoff
import IdentityClient
import Platform

extension CommandLineInterface.Command {
    /// Without a command: opens the app.
    static let open = CommandLineInterface.Command(
        "", "open the app: the current account, or the login-flow selection",
        examples: [.init("countersign-client", "show who is logged in, or log in")],
        options: .login
    ) { call in
        try await ClientSession.run(call) { session in
            await session.client.arrive()
            if let account = try await session.client.accounts.current() {
                return session.show(account, flow: nil, call, "\(account.username) is logged in.")
            }
            return try await session.logIn(call)
        }
    }

    /// Logs a user in.
    static let login = CommandLineInterface.Command(
        "login", "log a user in, by the identity provider app or locally",
        examples: [
            .init("countersign-client login", "choose how to log in"),
            .init("countersign-client login --via idp", "ask the identity provider app"),
            .init("countersign-client login --via idp --user-hint alice", "ask it for one account"),
            .init("countersign-client login --via idp --restart", "give up the logins that wait, and start anew"),
            .init("countersign-client login --via local", "log in at the provider's pages, for this app only"),
        ],
        options: .login
    ) { call in
        try await ClientSession.run(call) { session in try await session.logIn(call) }
    }
}

extension [Option] {
    static let login: [Option] = [
        Option(
            "--via", "FLOW", values: .suggested(["idp", "local"]), "idp, local, or an identity provider app's id"),
        Option("--user-hint", "USER", "whom the app means"),
        Option("--login-host", "HOST", "where the account is: a provider's host, such as localhost:8423"),
        Option("--add", "add an account beside those that are there"),
        Option("--restart", "end this app's logins that still wait, and start anew"),
    ]
}

extension ClientSession {
    /// Runs one login to its end and prints the account.
    func logIn(_ call: Invocation) async throws -> ExitStatus {
        try await join()
        let (account, info) = try await client.login(try options(call))
        return show(account, flow: info.flow, call, "Logged in as \(account.username).")
    }

    private func options(_ call: Invocation) throws -> LoginOptions {
        let via: LoginOptions.Via =
            switch call.option("--via") {
            case nil: .ask
            case "idp": .identityProvider(nil)
            case "local": .local
            case let id?: .identityProvider(try AppID(id).text)
            }
        let usual = call.meetsPeople || via == .local ? LoginOptions.withPeople : LoginOptions.betweenPrograms
        return LoginOptions(
            via: via, userHint: call.option("--user-hint"), loginHost: call.option("--login-host"),
            timeout: try call.duration("--timeout") ?? usual, addsAccount: call.flag("--add"),
            supersedesPending: call.flag("--restart"))
    }

    func show(_ account: UserAccount, flow: String?, _ call: Invocation, _ words: String) -> ExitStatus {
        var members: [String: JSONValue] = ["account": account.json]
        members["flow"] = flow.map(JSONValue.string)
        call.output.result(members, text: "\(words)\n  issuer   \(account.issuer)\n  subject  \(account.subject)")
        return .done
    }
}

extension Invocation {
    /// Whether a person takes part in this call: at the terminal, or by a prompt that was asked for.
    fileprivate var meetsPeople: Bool {
        switch option("--prompt") {
        case nil: mayAsk
        case let prompt?: !prompt.hasPrefix("script:")
        }
    }
}
