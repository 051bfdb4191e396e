import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import LinuxPlatform
import OpenIDConnect
import Platform

extension CommandLineInterface.Command {
    /// Signs a person in at the identity provider app.
    static let login = CommandLineInterface.Command(
        "login", "sign in here, so that the apps of this home get their logins",
        examples: [
            .init("countersign-idp login", "ask for name and password"),
            .init("countersign-idp login --user alice --password-file FILE", "without asking"),
        ],
        options: [
            Option("--user", "NAME", "the user's name"),
            Option("--password-file", "FILE", values: .file, "the file that holds the password; - for standard input"),
        ]
    ) { call in
        let password = try call.readSecret("--password-file")
        if password != nil, call.option("--user") == nil {
            throw call.invalid("--password-file", "--user says whose password it is")
        }
        return try await Device.run(call) { device in
            try await device.withBroker(call) { broker, open in
                let account: UserAccount
                let flow = try broker.newFlow()
                do {
                    if let password, let name = call.option("--user") {
                        account = try await broker.logIn(username: name, password: password, flow: flow)
                    } else {
                        let timeout = try call.duration("--timeout") ?? LoginOptions.withPeople
                        let deadline = open.surroundings.environment.now() + timeout
                        account = try await open.surroundings.environment.withDeadline(
                            timeout, orThrow: Fault(.deadlinePassed)
                        ) {
                            try await broker.signIn(
                                username: call.option("--user"), asker: nil, deadline: deadline, flow: flow)
                        }
                    }
                } catch let error as OAuthError where error.code == .insufficientAuthorization {
                    throw FlowFailure.named(Fault(.wrongPassword, error.description), flow.text)
                } catch {
                    throw FlowFailure.named(providerFault(error), flow.text)
                }
                call.output.result(
                    ["account": account.json, "flow": .string(flow.text)], text: "Signed in as \(account.username).")
                return .done
            }
        }
    }

    /// Lists who is signed in.
    static let accounts = CommandLineInterface.Command(
        "accounts", "list who is signed in here",
        examples: [.init("countersign-idp accounts", "the current one is marked")]
    ) { call in
        try await Device.run(call) { device in
            try await device.withBroker(call) { broker, _ in
                let all = try await broker.accounts.all()
                let current = try await broker.accounts.current()
                let list = JSONValue.array(
                    all.map { account in
                        .object(
                            (account.json.objectValue ?? [:]).merging(["current": .bool(account == current)]) { $1 })
                    })
                let rows = all.map { [$0 == current ? "*" : "", $0.username, $0.issuer, $0.subject] }
                call.output.result(
                    ["accounts": list],
                    text: all.isEmpty
                        ? "Nobody is signed in. Sign in: countersign-idp login"
                        : Output.table(["", "user", "issuer", "subject"], rows))
                return .done
            }
        }
    }

    /// Makes another account current.
    static let switchAccount = CommandLineInterface.Command(
        "switch", "make another account current",
        examples: [.init("countersign-idp switch bob", "by user name, e-mail address or subject")],
        positionals: [Positional("ACCOUNT", "the account's user name, e-mail address or subject")]
    ) { call in
        let name = try call.argument("ACCOUNT")
        return try await Device.run(call) { device in
            try await device.withBroker(call) { broker, _ in
                let account = try await broker.account(name)
                try await broker.accounts.switchTo(account)
                call.output.result(["account": account.json], text: "The current account is \(account.username).")
                return .done
            }
        }
    }
}

extension HandoffBroker {
    /// The account that a call names, or the current one.
    func account(_ text: String?) async throws -> UserAccount {
        if let text {
            do {
                return try await accounts.find(text)
            } catch ErrorCode.unknownAccount {
                throw Fault(
                    .unknownAccount, "\(text) is not signed in here.",
                    next:
                        "Sign in: countersign-idp login --user \(text); or list the accounts: countersign-idp accounts")
            }
        }
        guard let current = try await accounts.current() else {
            throw Fault(.noCurrentAccount, "Nobody is signed in here.", next: "Sign in: countersign-idp login")
        }
        return current
    }
}

extension UserAccount {
    /// The account as `--json` prints it.
    var json: JSONValue {
        ["issuer": .string(issuer), "subject": .string(subject), "username": .string(username)]
    }
}
