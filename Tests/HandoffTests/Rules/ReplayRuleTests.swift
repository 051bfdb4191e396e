import Basics
import Handoff
import TestSupport
import Testing

@Suite struct ReplayRuleTests {
    private func command(_ id: UInt8, from sender: Party = World.client) throws -> VerifiedCommand {
        try Samples.verified(.cancel, from: sender, to: World.idp, flow: try World.flow(), id: World.commandID(id))
    }

    @Test(.rule("M4")) func `a command is taken once`() throws {
        let command = try command(1)
        #expect(throws: Never.self) { try ReplayRule.admit(command, isMarked: false, floor: nil) }
        #expect(throws: Fault(.commandReplayed)) { try ReplayRule.admit(command, isMarked: true, floor: nil) }
    }

    @Test func `a mark belongs to one id of one sender`() throws {
        let marks = [
            ReplayRule.key(try command(1)), ReplayRule.key(try command(2)),
            ReplayRule.key(try command(1, from: World.otherClient)),
        ]
        #expect(Set(marks).count == 3)
        #expect(ReplayRule.key(try command(1)) == marks[0])
    }

    @Test func `a mark stays as long as the command could be taken`() throws {
        let command = try command(1)
        let expires = ReplayRule.markExpires(command)
        #expect(expires == World.now + .seconds(90))
        // At the instant at which the mark may go, freshness refuses; just before, it does not.
        let forge = try Samples.forge(.ping)
        #expect(try forge.refusal(now: expires) == .commandExpired)
        #expect(try forge.refusal(now: expires - .microseconds(1)) == nil)
    }

    @Test func `a command at or below the largest expiry purged is stale whatever the clock says`() throws {
        let command = try command(1)
        let mark = ReplayRule.markExpires(command)
        #expect(throws: Fault(.commandExpired)) { try ReplayRule.admit(command, isMarked: false, floor: mark) }
        #expect(throws: Fault(.commandExpired)) {
            try ReplayRule.admit(command, isMarked: false, floor: mark + .seconds(3_600))
        }
        #expect(throws: Never.self) {
            try ReplayRule.admit(command, isMarked: false, floor: mark - .microseconds(1))
        }
    }

    @Test(.rule("S28")) func `a clock that goes back does not revive a purged command`() throws {
        // Taken, marked; 90 s later the mark is purged and its expiry kept; then the clock goes back.
        var marks: [String: Timestamp] = [:]
        var floor: Timestamp?
        let url = try Samples.forge(.ping).url()
        func arrives(at now: Timestamp) throws {
            let command = try #require(
                try World.idp.receiver().verify(url, now: now, registry: { World.registry($0) }))
            let key = ReplayRule.key(command)
            try ReplayRule.admit(command, isMarked: marks[key] != nil, floor: floor)
            marks[key] = ReplayRule.markExpires(command)
        }
        try arrives(at: World.now)
        #expect(throws: Fault(.commandReplayed)) { try arrives(at: World.now) }
        floor = marks.values.max()
        marks = [:]
        #expect(throws: Fault(.commandExpired)) { try arrives(at: World.now + .seconds(90)) }
        #expect(throws: Fault(.commandExpired)) { try arrives(at: World.now) }
    }
}
