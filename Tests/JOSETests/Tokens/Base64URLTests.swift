import Basics
import JOSE
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `RFC 4648 §10 holds without its padding`(plain: String, encoded: String) throws {
        #expect(Base64URL.encode(utf8(plain)) == encoded)
        #expect(try Base64URL.decode(encoded) == utf8(plain))
    }

    @Test func `every byte comes back`() throws {
        let all = (0...255).map { UInt8($0) }
        for count in 253...256 {
            let text = Base64URL.encode(all.prefix(count))
            #expect(try Base64URL.decode(text) == Array(all.prefix(count)))
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    }

    @Test(arguments: ["Zg==", "Zm8=", "Zm 8", "Zm8\n", " Zm8", "+_8", "-/8", "Z", "Zm9vY", "Zm9?", "Zmé"])
    func `padding, white space, plain base64 and impossible lengths are refused`(text: String) {
        #expect(throws: Fault(.invalidBase64URL)) { try Base64URL.decode(text) }
    }

    @Test func `spare bits must be zero`() throws {
        #expect(try Base64URL.decode("Zg") == utf8("f"))
        #expect(throws: Fault(.invalidBase64URL)) { try Base64URL.decode("Zh") }
        #expect(try Base64URL.decode("Zm8") == utf8("fo"))
        #expect(throws: Fault(.invalidBase64URL)) { try Base64URL.decode("Zm9") }
    }
}
