import Basics
import Handoff
import Platform
import StrictYAML

extension ScriptFormat {
    /// Everything that can be expected.
    package static let subjects = [accounts, current, flows, questions, refusals, tokens, logout]

    private static let accounts = Subject(
        .client, "accounts", "the users that are logged in at the client, in any order", example: "[alice, bob]"
    ) { actor, wanted throws(Fault) in
        let users = try wanted.listOfUsers().sorted()
        return { stage in
            try await differs(stage.accounts(of: actor).map(\.username).sorted(), users)
        }
    }

    private static let current = Subject(
        .client, "current", "the user that the client shows; none: nobody", example: "alice"
    ) { actor, wanted throws(Fault) in
        let user = try wanted.node.asOne(of: wanted.users + [nobody])
        return { stage in
            let found = try await stage.accounts(of: actor).first(where: \.isCurrent)?.username ?? nobody
            return found == user ? nil : "it is \(found)"
        }
    }

    private static let flows = Subject(
        .anyActor, "flows", "how the app's flows have ended: completed, pending, or an error's code, each how often",
        example: "{ completed: 5, cancelled: 1 }"
    ) { actor, wanted throws(Fault) in
        let counts = try wanted.counts(of: [completed, pending] + ErrorCode.ofAllModules.map(\.name) + flowReasons)
        return { stage in
            let words = try await stage.flows(of: actor).map { flow in
                switch flow.end {
                case .completed: completed
                case .failed(let code): code
                case nil: pending
                }
            }
            return differs(tally(words), counts)
        }
    }

    private static let questions = Subject(
        .anyActor, "questions", "what the person at the app was asked so far, in order",
        example: "[user-selection, consent]"
    ) { actor, wanted throws(Fault) in
        let kinds = Question.Kind.allCases.map(\.rawValue)
        var asked: [String] = []
        for kind in try wanted.node.asList() { asked.append(try kind.asOne(of: kinds)) }
        return { [asked] stage in try await differs(stage.questions(at: actor), asked) }
    }

    private static let refusals = Subject(
        .anyActor, "refusals", "the codes with which the app has refused commands so far, each how often",
        example: "{ command-uncorrelated: 3 }"
    ) { actor, wanted throws(Fault) in
        let counts = try wanted.counts(of: ErrorCode.ofAllModules.map(\.name))
        return { stage in try await differs(tally(stage.refusals(by: actor)), counts) }
    }

    private static let tokens = Subject(
        .identityProvider, "tokens",
        "how often its provider has issued tokens, how many codes and refresh tokens it took, how many came twice",
        example: "{ issued: 5, reused: 0 }"
    ) { actor, wanted throws(Fault) in
        let keys = ["issued", "taken", "reused"]
        _ = try wanted.counts(of: keys)
        var counts: [String: Int] = [:]
        for key in keys { counts[key] = try wanted.node.int(at: key) }
        let device = wanted.cast[actor]?.device ?? Cast.firstDevice
        return { [counts] stage in
            let ledger = try await stage.ledger(of: device)
            let found = ["issued": ledger.issued, "taken": ledger.taken.count, "reused": ledger.reused]
            return differs(found.filter { counts[$0.key] != nil }, counts)
        }
    }

    private static let logout = Subject(
        .identityProvider, "logout", "what its last logout says of each app: revoked, acknowledged",
        example: "{ notes: [revoked, acknowledged], photos: [revoked] }"
    ) { actor, wanted throws(Fault) in
        var rows: [String: [String]] = [:]
        for pair in try wanted.node.asPairs() {
            guard wanted.names(of: .client).contains(pair.key) else {
                throw pair.value.refusal("“\(pair.key)” is no client of this script.")
            }
            var words: [String] = []
            for word in try pair.value.asList() { words.append(try word.asOne(of: ["revoked", "acknowledged"])) }
            rows[pair.key] = words.sorted()
        }
        return { [rows] stage in
            let found = try await stage.lastLogoutReport(of: actor).map { row in
                let name = stage.cast.members.first { $0.appID == row.app }?.name ?? row.app
                return (name, (row.acknowledged ? ["acknowledged"] : []) + (row.revoked ? ["revoked"] : []))
            }
            return differs(Dictionary(found) { $1 }, rows)
        }
    }

    // MARK: - Comparing

    private static let completed = "completed"
    private static let pending = "pending"
    private static let nobody = "none"
    /// Why a client or an identity provider app refused: words of the protocol, which are no codes of this product.
    private static let flowReasons = AuthError.Reason.allCases.map(\.rawValue)

    private static func tally(_ words: [String]) -> [String: Int] {
        Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static func differs<Value: Equatable>(_ found: [Value], _ wanted: [Value]) -> String? {
        found == wanted ? nil : "it is [\(found.map { "\($0)" }.joined(separator: ", "))]"
    }

    private static func differs<Value: Equatable>(_ found: [String: Value], _ wanted: [String: Value]) -> String? {
        guard found != wanted else { return nil }
        let pairs = found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "it is { \(pairs.joined(separator: ", ")) }"
    }
}

extension ScriptValues {
    fileprivate func listOfUsers() throws(Fault) -> [String] {
        var names: [String] = []
        for user in try node.asList() { names.append(try user.asOne(of: users)) }
        return names
    }
}
