import Basics
import Platform

extension CommandBusConformance {
    static let nameChecks: [Check] = [
        (
            name: "a registered name is owned by its connection's unique name",
            run: { connect, _ in
                let (app, asker) = (try await connect(), try await connect())
                try requireEqual(try await asker.owner(of: name("Owner")), nil, "the owner before")
                let registration = try await app.register(name("Owner")) { _ in }
                try require(registration.uniqueName.hasPrefix(":"), "a unique name begins with a colon")
                try requireEqual(try await asker.owner(of: name("Owner")), registration.uniqueName, "the owner")
                await registration.withdraw()
                try requireEqual(try await asker.owner(of: name("Owner")), nil, "the owner after it withdrew")
                await app.stop()
                await asker.stop()
            }
        ),
        (
            name: "a name has one owner at a time",
            run: { connect, _ in
                let (one, two) = (try await connect(), try await connect())
                let registration = try await one.register(name("Taken")) { _ in }
                try await requireRefusal(.busNameTaken, "the second owner") {
                    _ = try await two.register(name("Taken")) { _ in }
                }
                try requireEqual(try await two.owner(of: name("Taken")), registration.uniqueName, "the owner stays")
                await registration.withdraw()
                let second = try await two.register(name("Taken")) { _ in }
                try requireEqual(try await one.owner(of: name("Taken")), second.uniqueName, "the next owner")
                await one.stop()
                await two.stop()
            }
        ),
        (
            name: "connections have unique names, and the bus tells their user",
            run: { connect, _ in
                let (one, two) = (try await connect(), try await connect())
                let first = try await one.register(name("EvidenceOne")) { _ in }
                let second = try await two.register(name("EvidenceTwo")) { _ in }
                try require(first.uniqueName != second.uniqueName, "two connections have two unique names")
                let evidence = try requireValue(
                    try await two.evidence(of: first.uniqueName), "evidence of a connection that is there")
                try requireEqual(evidence.uniqueName, first.uniqueName, "whom the evidence is about")
                try require(evidence.userID != nil && evidence.processID != nil, "the bus knows user and process")
                await one.stop()
                try await two.departure(of: first.uniqueName)
                try requireEqual(try await two.evidence(of: first.uniqueName), nil, "evidence of one that has left")
                await two.stop()
            }
        ),
        (
            name: "after stop every call is refused, and the name is free",
            run: { connect, _ in
                let (app, asker) = (try await connect(), try await connect())
                let registration = try await app.register(name("Stopped")) { _ in }
                await app.stop()
                try await asker.departure(of: registration.uniqueName)
                try await requireRefusal(.busUnavailable, "open") {
                    try await app.open("x:y", at: name("Stopped"), startIfNeeded: false)
                }
                try await requireRefusal(.busUnavailable, "owner") { _ = try await app.owner(of: name("Stopped")) }
                try await requireRefusal(.busUnavailable, "register") {
                    _ = try await app.register(name("Stopped")) { _ in }
                }
                try requireEqual(try await asker.owner(of: name("Stopped")), nil, "the owner of the name")
                let next = try await asker.register(name("Stopped")) { _ in }
                try requireEqual(try await asker.owner(of: name("Stopped")), next.uniqueName, "the next owner")
                await asker.stop()
            }
        ),
    ]
}
