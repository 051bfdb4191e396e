import Basics
import Handoff
import TestSupport
import Testing

/// The edges of time, to the microsecond.
@Suite struct TimeTests {
    private func refusal(after offset: Duration) throws -> ErrorCode? {
        try Samples.forge(.ping).refusal(now: World.now + offset)
    }

    @Test(.rule("S28", "M5")) func `a command is taken until 30 s after exp, and not then`() throws {
        #expect(try refusal(after: .zero) == nil)
        #expect(try refusal(after: .seconds(60)) == nil)
        #expect(try refusal(after: .seconds(90) - .microseconds(1)) == nil)
        #expect(try refusal(after: .seconds(90)) == .commandExpired)
        #expect(try refusal(after: .seconds(86_400)) == .commandExpired)
    }

    @Test(.rule("M5")) func `a command is taken from 30 s before iat, and not earlier`() throws {
        #expect(try refusal(after: .seconds(-30)) == nil)
        #expect(try refusal(after: .seconds(-30) - .microseconds(1)) == .commandNotYetValid)
        #expect(try refusal(after: .seconds(-86_400)) == .commandNotYetValid)
    }

    @Test(.rule("M5")) func `a command lives exactly 60 s at most`() throws {
        let sound = try Samples.forge(.ping)
        let iat = World.now.seconds
        #expect(try sound.with("exp", .integer(iat + 60)).refusal() == nil)
        #expect(try sound.with("exp", .integer(iat + 61)).refusal() == .commandLifetime)
    }

    @Test func `the sealer's own commands live 60 s and begin in whole seconds`() throws {
        let sealed = try World.client.sealer.seal(
            .cancel, to: World.idp.peer, flow: try World.flow(), id: World.commandID(),
            now: World.now + .microseconds(999_999))
        #expect(sealed.envelope.issuedAt == World.now)
        #expect(sealed.envelope.expires == World.now + .seconds(60))
    }

    @Test func `another skew moves the edges`() throws {
        let receiver = CommandReceiver(
            id: World.idp.id, role: .identityProvider, schemes: ["idp"], decryptionKeys: [], dangerouslyWith: .standard,
            skew: .zero)
        let url = try Samples.forge(.ping).url()
        func read(_ offset: Duration) throws -> VerifiedCommand? {
            try receiver.verify(url, now: World.now + offset, registry: { World.registry($0) })
        }
        #expect(try read(.seconds(60) - .microseconds(1)) != nil)
        #expect(throws: Fault(.commandExpired)) { try read(.seconds(60)) }
        #expect(throws: Fault(.commandNotYetValid)) { try read(.microseconds(-1)) }
    }
}
