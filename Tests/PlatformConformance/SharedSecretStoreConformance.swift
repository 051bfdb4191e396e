import Basics
package import Platform

/// What every shared secret store does, for a group of the two `members` that `outsider` does not belong to. Each
/// check uses names of its own, so all of them can run on one group.
package enum SharedSecretStoreConformance {
    /// The group as that app sees it.
    package typealias Open = @Sendable (_ app: String) async throws -> any SharedSecretStore

    /// A named rule, and what throws `ConformanceFailure` where a store breaks it.
    package typealias Check = (
        name: String, run: @Sendable (_ open: @escaping Open, _ environment: Environment) async throws -> Void
    )

    /// The apps that belong to the group under test.
    package static let members = ["org.countersign.conformance.one", "org.countersign.conformance.two"]
    /// An app that does not.
    package static let outsider = "org.countersign.conformance.outsider"

    private static let noon = Timestamp(seconds: 1_800_000_000)

    private static func item(_ name: String, for owner: String = members[1], _ value: [UInt8] = [1]) -> SharedSecret {
        SharedSecret(name: name, owner: owner, expires: noon, value: Secret(value))
    }

    /// The rules in the order in which they build on each other.
    package static let checks: [Check] = [
        (
            name: "what one member leaves, the other takes once",
            run: { open, _ in
                let (one, two) = (try await open(members[0]), try await open(members[1]))
                let left = item("once", [0, 255, 7])
                try await one.put(left)
                try requireEqual(try await two.take("once", now: noon - .seconds(1)), left, "the first take")
                try requireEqual(try await two.take("once", now: noon - .seconds(1)), nil, "the second")
                try requireEqual(try await two.take("never", now: noon - .seconds(1)), nil, "a name never used")
            }
        ),
        (
            name: "an item is void from the instant it expires",
            run: { open, _ in
                let (one, two) = (try await open(members[0]), try await open(members[1]))
                for (name, now, isThere) in [
                    ("before", noon - .microseconds(1), true), ("at", noon, false),
                    ("after", noon + .seconds(1), false),
                ] {
                    try await one.put(item(name))
                    try requireEqual(try await two.take(name, now: now) != nil, isThere, "\(name) its expiry")
                }
                try requireEqual(
                    try await two.take("after", now: noon - .seconds(1)), nil, "an expired item that was asked for")
            }
        ),
        (
            name: "nothing is left by or for an app outside the group",
            run: { open, _ in
                let (one, stranger) = (try await open(members[0]), try await open(outsider))
                try await requireRefusal(.notGroupMember, "for an outsider") {
                    try await one.put(item("for", for: outsider))
                }
                try await requireRefusal(.notGroupMember, "by an outsider") { try await stranger.put(item("by")) }
                try await one.put(item("for", for: members[1]))
                let two = try await open(members[1])
                try require(try await two.take("for", now: noon - .seconds(1)) != nil, "a member's item for a member")
                try requireEqual(try await two.take("by", now: noon - .seconds(1)), nil, "the outsider's item")
            }
        ),
        (
            name: "an app outside the group takes nothing",
            run: { open, _ in
                let (one, two) = (try await open(members[0]), try await open(members[1]))
                let stranger = try await open(outsider)
                try await one.put(item("kept"))
                do {
                    let taken = try await stranger.take("kept", now: noon - .seconds(1))
                    try requireEqual(taken, nil, "what the outsider took")
                } catch let fault as Fault {
                    try requireEqual(fault.code, .notGroupMember, "how the outsider is refused")
                }
                try require(try await two.take("kept", now: noon - .seconds(1)) != nil, "the item is still there")
            }
        ),
        (
            name: "of many takers at once exactly one gets the item",
            run: { open, environment in
                let (one, two) = (try await open(members[0]), try await open(members[1]))
                try await one.put(item("race"))
                let takers = (0..<8).map { number in
                    environment.spawn("taker \(number)") {
                        try await two.take("race", now: noon - .seconds(1)) != nil
                    }
                }
                var winners = 0
                for taker in takers where try await taker.value { winners += 1 }
                try requireEqual(winners, 1, "winners")
            }
        ),
    ]
}
