import Basics
import CommandLineInterface
import IdentityClient

extension CommandLineInterface.Command {
    /// Lists the accounts.
    static let accounts = CommandLineInterface.Command(
        "accounts", "list this app's accounts",
        examples: [.init("countersign-client accounts", "the current one is marked")],
        options: [Option("--names", "the user names alone, one a line")]
    ) { call in
        try await ClientSession.run(call) { session in
            let all = try await session.client.accounts.all()
            if call.flag("--names"), !call.output.isJSON {
                for account in all { call.output.data(account.username) }
                return .done
            }
            let current = try await session.client.accounts.current()
            let rows = all.map { account in
                [account == current ? "*" : "", account.username, account.issuer, account.subject]
            }
            let list = JSONValue.array(
                all.map { account in
                    .object((account.json.objectValue ?? [:]).merging(["current": .bool(account == current)]) { $1 })
                })
            call.output.result(
                ["accounts": list],
                text: all.isEmpty
                    ? "No accounts. Log in: countersign-client login"
                    : Output.table(["", "user", "issuer", "subject"], rows))
            return .done
        }
    }

    /// Makes another account current.
    static let switchAccount = CommandLineInterface.Command(
        "switch", "make another account current",
        examples: [.init("countersign-client switch bob", "by user name, e-mail address or subject")],
        positionals: [Positional("ACCOUNT", values: .names, "the account's user name, e-mail address or subject")]
    ) { call in
        try await ClientSession.run(call) { session in
            let account = try await session.client.accounts.find(try call.argument("ACCOUNT"))
            try await session.client.accounts.switchTo(account)
            return session.show(account, flow: nil, call, "The current account is \(account.username).")
        }
    }
}

extension Option.Values {
    /// The names of the app's accounts.
    fileprivate static let names = Option.Values.listed(by: "accounts --names")
}

extension [Option] {
    static let account: [Option] = [
        Option("--account", "ACCOUNT", values: .names, "the account, instead of the current one")
    ]
}
