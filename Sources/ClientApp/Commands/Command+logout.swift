import Basics
import CommandLineInterface
import IdentityClient

extension CommandLineInterface.Command {
    /// Logs an account out: of this app, of every app of the device, or everywhere.
    static let logout = CommandLineInterface.Command(
        "logout", "log an account out of this app, and revoke its tokens at the provider",
        details: """
            With --scope device or everywhere the identity provider app is asked to log the person out of all apps. It \
            does so if this app may ask (countersign-idp apps change ID --allow logout-device), and if the person confirms \
            it there.
            """,
        examples: [
            .init("countersign-client logout", "the current account"),
            .init("countersign-client logout --scope device", "of every app of this device"),
            .init("countersign-client logout --force", "here at least, when the provider cannot be reached"),
        ],
        options: .account + [
            Option(
                "--scope", "SCOPE", values: .oneOf(LogoutScope.allCases.map(\.rawValue)),
                "how far it goes; app by default"),
            Option("--force", "forget the account even if the provider cannot be told"),
        ]
    ) { call in
        let scope = call.option("--scope").flatMap(LogoutScope.init) ?? .app
        let timeout = try call.duration("--timeout") ?? LoginOptions.withPeople
        return try await ClientSession.run(call) { session in
            let account = try await session.account(call.option("--account"))
            // The answer of the identity provider app comes over the bus, to whoever owns the name.
            try await session.join()
            let result = try await session.client.logout(
                account, scope: scope, force: call.flag("--force"), timeout: timeout)
            call.output.result(
                [
                    "account": account.json, "scope": .string(result.scope.rawValue),
                    "revoked": .bool(result.isRevoked),
                ],
                text: result.text(account, asked: scope))
            return .done
        }
    }
}

extension LogoutResult {
    fileprivate func text(_ account: UserAccount, asked: LogoutScope) -> String {
        var words =
            switch scope {
            case .app: "Logged \(account.username) out."
            case .device: "Logged \(account.username) out of every app of this device."
            case .everywhere: "Logged \(account.username) out everywhere."
            }
        if asked != .app, scope == .app { words += " No other app was told: the others keep their logins." }
        if !isRevoked { words += " The provider was not told yet; the app tells it when it next serves or logs in." }
        return words
    }
}
