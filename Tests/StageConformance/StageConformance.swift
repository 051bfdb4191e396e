import Basics
import Handoff
package import HandoffLab
import IdentityBroker
import Platform

/// What every stage does where something interferes. The checks are of one cast, and can be played one after another on
/// one stage: each leaves alice and bob signed in at the identity provider apps.
package enum StageConformance {
    /// A named rule, and what throws `ConformanceFailure` where a stage breaks it.
    package typealias Check = (name: String, play: @Sendable (_ stage: any Stage) async throws -> Void)

    /// The rules, in no order that matters.
    package static let checks: [Check] = deliveryChecks + meddlingChecks + absenceChecks

    /// Two devices with the same apps by name, each app with keys of its own; and two more clients on the first, of
    /// which one never does anything.
    package static var cast: Cast {
        get throws {
            // Consent is asked for each time, so that a login can be held up.
            func client(_ id: String) throws -> Cast.Role { .client(try WorldPlan.app(id) { $0.consent = .always }) }
            return Cast([
                Cast.Member("idp", .identityProvider(users: ["alice", "bob"])),
                Cast.Member("client", try client(AppEnrolment.firstClientID)),
                Cast.Member("other", try client("org.example.other")),
                Cast.Member("idle", try client("org.example.idle")),
                Cast.Member("foreign-idp", on: "elsewhere", .identityProvider(users: ["alice"])),
                Cast.Member("foreign-client", on: "elsewhere", try client(AppEnrolment.firstClientID)),
            ])
        }
    }

    /// Begins a stage of that cast.
    package static func begin(_ stage: any Stage) async throws {
        try await stage.begin()
        for user in ["alice", "bob"] { try await requireDone(stage.signIn(user, at: "idp"), "\(user)'s sign-in") }
        try await requireDone(stage.signIn("alice", at: "foreign-idp"), "the sign-in elsewhere")
    }

    /// Longer than a busy machine pauses.
    static let patience: Duration = .seconds(120)

    static func login(_ client: String, _ user: String) -> LoginOrder {
        LoginOrder(client, hint: user, timeout: patience)
    }
}

/// A rule that a stage does not keep.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let description: String
}

func requireDone(_ end: ActionEnd, _ what: String) throws {
    guard end.isDone else { throw ConformanceFailure(description: "\(what): \(end)") }
}

func requireEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
    guard found == expected else {
        throw ConformanceFailure(description: "\(what): found \(found), expected \(expected)")
    }
}

/// Requires that `body` is refused with that code.
func requireRefusal(_ code: String, _ what: String, _ body: () async throws -> some Any) async throws {
    let end = await ActionEnd.of { _ = try await body() }
    guard case .failed(code, _) = end else {
        throw ConformanceFailure(description: "\(what): found \(end), expected \(code)")
    }
}

extension Stage {
    /// Waits for a value that comes with time.
    func eventually<Value: Equatable & Sendable>(
        _ expected: Value, _ what: String, _ read: () async throws -> Value
    ) async throws {
        var found = try await read()
        let end = environment.now() + StageConformance.patience
        while found != expected, environment.now() < end {
            try await environment.sleep(for: .milliseconds(50))
            found = try await read()
        }
        try requireEqual(found, expected, what)
    }

    /// Waits until an app has refused what came since, and requires the codes.
    func requireRefusals(_ codes: [String], by name: String, since before: [String]) async throws {
        try await eventually(before.count + codes.count, "the refusals by \(name)") {
            try await refusals(by: name).count
        }
        try requireEqual(Array(try await refusals(by: name).dropFirst(before.count)), codes, "the refusals by \(name)")
    }

    func users(of name: String) async throws -> [String] { try await accounts(of: name).map(\.username).sorted() }
}
