import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import Platform

extension CommandLineInterface.Command {
    /// Signs an account out: of this app, of every app of the device, or everywhere.
    static let logout = CommandLineInterface.Command(
        "logout", "sign an account out of this app, of every app of this device, or everywhere",
        details: """
            With --scope app, which is the default, the apps keep their logins. With device and everywhere the provider \
            ends the sessions first; then each app is told, and its row says whether its tokens are revoked and whether \
            it has acknowledged. An app that is not running is told when it next appears, before it uses a token.
            """,
        examples: [
            .init("countersign-idp logout", "the current account, of this app alone"),
            .init("countersign-idp logout --scope device", "and of every app of this device that it was handed to"),
            .init("countersign-idp logout --scope everywhere", "and of every other device and browser"),
        ],
        options: [
            Option("--account", "ACCOUNT", "the account, instead of the current one"),
            Option(
                "--scope", "SCOPE", values: .oneOf(LogoutRequest.Scope.allCases.map(\.rawValue)),
                "how far it goes; app by default"),
            Option("--force", "go on even if the provider cannot be told"),
        ]
    ) { call in
        let scope = call.option("--scope").flatMap(LogoutRequest.Scope.init) ?? .app
        let patience = try call.duration("--timeout") ?? LoginOptions.betweenPrograms
        return try await Device.run(call) { device in
            try await device.withBroker(call) { broker, _ in
                let account = try await broker.account(call.option("--account"))
                let report: LogoutReport
                do {
                    report = try await broker.logOut(
                        account, scope: scope, force: call.flag("--force"), patience: patience)
                } catch {
                    throw providerFault(error)
                }
                call.output.result(report.json(account), text: report.text(account))
                return .done
            }
        }
    }
}

extension LogoutReport {
    fileprivate func json(_ account: UserAccount) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "account": account.json, "scope": .string(scope.rawValue), "revoked": .bool(isRevoked),
        ]
        if scope != .app {
            members["flow"] = .string(flow.text)
            members["apps"] = .array(apps.map(\.json))
        }
        return members
    }

    fileprivate func text(_ account: UserAccount) -> String {
        let place =
            switch scope {
            case .app: ""
            case .device: " of this device"
            case .everywhere: " everywhere"
            }
        var lines = ["Signed \(account.username) out\(place)."]
        if !isRevoked {
            lines.append("The provider was not told. It is asked again while this app serves: countersign-idp serve")
        }
        if !apps.isEmpty {
            lines.append(
                Output.table(
                    ["app", "revoked", "acknowledged"],
                    apps.map { [$0.app.text, $0.isRevoked ? "yes" : "no", $0.acknowledged] }))
        }
        return lines.joined(separator: "\n")
    }
}

extension LogoutReport.Row {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "app": .string(app.text), "name": .string(name), "revoked": .bool(isRevoked),
            "acknowledged": .bool(outcome != nil), "state": .string(stateWord),
        ]
        members["outcome"] = outcome.map { .string($0.rawValue) }
        return .object(members)
    }

    private var stateWord: String {
        switch state {
        case .waiting: "waiting"
        case .absent: "absent"
        case .told: "told"
        case .acknowledged: "acknowledged"
        case .refused(let reason): reason.rawValue
        }
    }

    fileprivate var acknowledged: String {
        switch state {
        case .acknowledged(.loggedOut): "yes"
        case .acknowledged(.notLoggedIn): "yes, it had no such login any more"
        case .acknowledged(.notRevoked): "yes, it could not reach the provider"
        case .absent: "no, not running: told when it next appears"
        case .waiting: "no, not told yet: told when it next appears"
        case .told: "no, no answer yet"
        case .refused(let reason): "no, it refused: \(reason.rawValue)"
        }
    }
}
