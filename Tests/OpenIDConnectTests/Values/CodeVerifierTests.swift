import Basics
import FoundationEssentials
import OpenIDConnect
import TestSupport
import Testing

struct CodeVerifierTests {
    /// RFC 7636 appendix B.
    private static let octets: [UInt8] = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
        91, 88, 5, 88, 83, 132, 141, 121,
    ]
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test func `the example of RFC 7636 appendix B comes out`() throws {
        #expect(CodeVerifier(randomBytes: Self.octets).text.unmasked == Self.verifier)
        #expect(try CodeVerifier(Self.verifier).challenge.text == Self.challenge)
    }

    @Test func `a challenge fits its own verifier and no other`() throws {
        let challenge = try CodeChallenge(Self.challenge)
        #expect(try challenge.matches(CodeVerifier(Self.verifier)))
        #expect(try !challenge.matches(CodeVerifier(Self.verifier.lowercased())))
        // The plain method would take the challenge itself.
        #expect(try !challenge.matches(CodeVerifier(Self.challenge)))
    }

    @Test(.rule("S18"), arguments: [(42, false), (43, true), (128, true), (129, false)])
    func `a verifier is 43 to 128 characters`(count: Int, isTaken: Bool) {
        #expect(((try? CodeVerifier(String(repeating: "a", count: count))) != nil) == isTaken)
    }

    @Test(arguments: ["+", "/", "=", " ", "%", "é", "\n"])
    func `a verifier has unreserved characters alone`(character: String) throws {
        let start = String(repeating: "-._~aZ09", count: 6)
        #expect(try CodeVerifier(start).text.unmasked == start)
        #expect(throws: Fault(.invalidCodeVerifier)) { try CodeVerifier(start + character) }
    }

    @Test(arguments: [
        "", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cMA",
    ])
    func `a challenge is the base64url of 32 bytes`(text: String) {
        #expect(throws: Fault(.invalidCodeChallenge)) { try CodeChallenge(text) }
    }

    @Test func `a verifier is stored as its text and shown as dots`() throws {
        let verifier = try CodeVerifier(Self.verifier)
        let encoded = try JSONEncoder().encode([verifier])
        #expect(try JSONDecoder().decode([String].self, from: encoded) == [Self.verifier])
        #expect(try JSONDecoder().decode([CodeVerifier].self, from: encoded) == [verifier])
        var dumped = ""
        dump(verifier, to: &dumped)
        for text in ["\(verifier)", String(reflecting: verifier), dumped] {
            #expect(!text.contains(Self.verifier))
        }
        #expect(throws: Fault(.invalidCodeVerifier)) {
            try JSONDecoder().decode([CodeVerifier].self, from: Data(#"["short"]"#.utf8))
        }
    }
}
