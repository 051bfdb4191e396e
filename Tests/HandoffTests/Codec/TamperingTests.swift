import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// No bit of a token can be changed.
@Suite struct TamperingTests {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)

    private func isTaken(_ token: String, as forge: Forge) -> Bool {
        let read = try? forge.receiver.receiver().verify(
            forge.url(token: token), now: World.now, registry: { World.registry($0) })
        return read ?? nil != nil
    }

    private func token(_ forge: Forge) throws -> String { try forge.wrapped(try forge.signed()) }

    private func flipsAreRefused(_ name: CommandName, bits: (Int) -> [Int]) throws {
        let forge = try Samples.forge(name)
        let token = try token(forge)
        #expect(isTaken(token, as: forge))
        let parts = try token.split(separator: ".", omittingEmptySubsequences: false).map { try Base64URL.decode($0) }
        for part in parts.indices {
            for place in parts[part].indices {
                for bit in bits(place) {
                    var changed = parts
                    changed[part][place] ^= 1 << bit
                    let text = changed.map { Base64URL.encode($0) }.joined(separator: ".")
                    #expect(!isTaken(text, as: forge), "part \(part), byte \(place), bit \(bit)")
                }
            }
        }
    }

    @Test(.rule("S29", "M1")) func `a signed token with any one bit flipped is refused`() throws {
        try flipsAreRefused(.ping) { _ in Array(0..<8) }
    }

    @Test(.rule("M1")) func `an encrypted token with a bit of any byte flipped is refused`() throws {
        try flipsAreRefused(.idpinit) { place in [place % 8] }
    }

    @Test(arguments: [CommandName.ping, .idpinit])
    func `a token with one character exchanged is refused`(_ name: CommandName) throws {
        let forge = try Samples.forge(name)
        let token = Array(try token(forge).utf8)
        var random = HostileText(seed: 1)
        for place in token.indices {
            for _ in 0..<(name.isPersonal ? 1 : 3) {
                var changed = token
                changed[place] = Self.digits[random.number(below: Self.digits.count)]
                guard changed != token else { continue }
                #expect(!isTaken(String(decoding: changed, as: UTF8.self), as: forge), "character \(place)")
            }
        }
    }

    @Test func `a token cut short or made longer is refused`() throws {
        let forge = try Samples.forge(.ping)
        let token = try token(forge)
        for count in 1..<token.utf8.count { #expect(!isTaken(String(token.prefix(count)), as: forge)) }
        for more in ["A", "AA", "AAAA", ".", ".AA"] { #expect(!isTaken(token + more, as: forge)) }
    }

    @Test func `parts of two tokens do not go together`() throws {
        let one = try Samples.forge(.ping)
        let two = one.with("nonce", "another")
        let parts = try [one, two].map { try token($0).split(separator: ".").map(String.init) }
        #expect(!isTaken([parts[0][0], parts[1][1], parts[0][2]].joined(separator: "."), as: one))
        #expect(!isTaken([parts[0][0], parts[0][1], parts[1][2]].joined(separator: "."), as: one))
        #expect(isTaken(parts[1].joined(separator: "."), as: one))
    }
}
