import Basics

/// What must never be, whatever a script plays; looked for after its last step.
package struct ScriptInvariants: Sendable {
    private let stage: any Stage

    package init(_ stage: any Stage) { self.stage = stage }

    /// Each that is broken, by its name and in a sentence.
    package func breaches() async throws -> [String] {
        var found = try await stage.settle().map { "no-flow-outlives-its-deadline: \($0)" }
        for device in stage.cast.devices {
            found += try await stage.ledger(of: device).breaches.map { "single-use: \($0)" }
        }
        for member in stage.cast.members where member.isClient {
            let accounts = try await stage.accounts(of: member.name)
            let owners = Dictionary(grouping: accounts) { [$0.issuer, $0.subject] }
            for (owner, same) in owners.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) where same.count > 1 {
                found.append("one-account-per-user: \(member.name) has \(same.count) accounts of \(owner[1])")
            }
        }
        let transcript = await stage.transcript()
        for (user, password) in await stage.passwords().sorted(by: { $0.key < $1.key })
        where !password.unmasked.isEmpty && transcript.contains(password.unmasked) {
            found.append("no-secret-in-logs: the password of \(user) stands in a log")
        }
        return found
    }

    /// Their names, with what they say.
    package static let names = [
        ("single-use", "no code and no refresh token is taken twice, and tokens are issued only for what was taken"),
        ("one-account-per-user", "no client has two accounts of one user"),
        ("no-flow-outlives-its-deadline", "no app has a flow under way whose deadline has passed"),
        ("no-secret-in-logs", "no password stands in a log"),
    ]
}
