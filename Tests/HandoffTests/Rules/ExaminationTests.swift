import Basics
import Handoff
import JOSE
import Testing

@Suite struct `Looking at a command` {
    private static let names =
        ["size", "shape", "decryption", "parse"] + VerificationRules.standard.list.map(\.name) + ["meaning"]

    private func examine(_ url: String, by receiver: Party, now: Timestamp = World.now) throws -> Examination {
        try #require(
            try receiver.receiver().examine(url, now: now) { id throws(Fault) in World.registry(id) })
    }

    @Test(arguments: CommandName.allCases)
    func `keeps every rule of a command that is taken`(name: CommandName) throws {
        let forge = try Samples.forge(name)
        let examination = try examine(try forge.url(), by: forge.receiver)
        #expect(examination.checks.map(\.rule) == Self.names)
        #expect(examination.refusal == nil)
        #expect(examination.verified == (try forge.verified()))
        #expect(Self.names.allSatisfy(examination.keeps))
    }

    @Test func `breaks at the rule that refuses, and reaches none after it, as verifying does`() throws {
        let sound = try Samples.forge(.authresponse)
        let late = World.now + .seconds(600)
        let broken: [(rule: String, url: String, now: Timestamp)] = [
            ("size", try sound.url() + String(repeating: "A", count: 9_000), World.now),
            ("shape", try sound.url() + "&x=y", World.now),
            (
                "decryption", sound.url(token: String(try sound.wrapped(try sound.signed()).dropLast(6)) + "AAAAAA"),
                World.now
            ),
            ("parse", try sound.with("jti", nil).url(), World.now),
            ("nesting", try sound.with("ekid", nil).with { $0.isNested = false }.url(), World.now),
            ("encryption-header", try sound.with { $0.encryptionHeader["apu"] = "AAAA" }.url(), World.now),
            (
                "sender",
                try sound.with("iss", .string(World.stranger.id.text)).with {
                    $0.encryptionHeader["apu"] = .string(
                        Base64URL.encode(Digest.sha256(Array(World.stranger.id.text.utf8))))
                }.url(), World.now
            ),
            ("signature", try sound.with { $0.signer = World.otherIDP.command }.url(), World.now),
            ("path", try sound.with("command", "idpinit").url(), World.now),
            ("freshness", try sound.url(), late),
            ("meaning", try sound.with("extra", "x").url(), World.now),
        ]
        for (rule, url, now) in broken {
            let examination = try examine(url, by: sound.receiver, now: now)
            let refusal = try #require(examination.refusal, "\(rule)")
            #expect(refusal.rule == rule)
            #expect(examination.verified == nil)
            let index = try #require(Self.names.firstIndex(of: rule))
            #expect(Self.names[..<index].allSatisfy(examination.keeps))
            #expect(Self.names[index...].allSatisfy { !examination.keeps($0) })
            do throws(Fault) {
                _ = try sound.receiver.receiver().verify(url, now: now) { id throws(Fault) in World.registry(id) }
                Issue.record("\(rule) did not refuse")
            } catch {
                #expect(error.code == refusal.fault.code)
            }
        }
    }

    @Test func `is nothing for a URL that is not ours to claim`() throws {
        let url = try Samples.forge(.cancel).url().replacing("v1.0", with: "v2.0")
        #expect(try World.client.receiver().examine(url, now: World.now) { _ throws(Fault) in nil } == nil)
    }

    @Test func `looks at a rule of the receiver's own only when all before it were kept`() throws {
        let sound = try Samples.forge(.cancel)
        var examination = try examine(try sound.url(), by: sound.receiver)
        examination.look(at: "first") {}
        examination.look(at: "second") { throw Fault(.commandReplayed) }
        examination.look(at: "third") { Issue.record("it was looked at") }
        #expect(examination.keeps("first") && !examination.keeps("second") && !examination.keeps("third"))
        #expect(examination.refusal?.rule == "second")
    }
}
