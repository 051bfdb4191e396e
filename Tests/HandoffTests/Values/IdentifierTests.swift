import Basics
import Handoff
import JOSE
import Testing

@Suite struct IdentifierTests {
    @Test(arguments: ["a.b", "com.example.notes", "com.example-x.notes_2", "_a._b", "A.B", "-a.b"])
    func `a reverse domain name is an app id`(_ text: String) throws {
        #expect(try AppID(text).text == text)
    }

    @Test(arguments: [
        "", "notes", ".", "a.", ".a", "a..b", "1a.b", "a.1b", "a.b c", "a.b/", "a.b\n", "a.b\0", "a.ü", "a.b\u{301}",
        "\u{212A}.b", "a.b:1", "a．b",
    ])
    func `anything else is none`(_ text: String) {
        #expect(throws: Fault(.invalidAppID)) { try AppID(text) }
    }

    @Test func `an app id has at most 200 characters`() throws {
        let longest = "a." + String(repeating: "b", count: 198)
        #expect(throws: Never.self) { try AppID(longest) }
        #expect(throws: Fault(.invalidAppID)) { try AppID(longest + "b") }
    }

    @Test func `ids that differ in case are different apps`() throws {
        #expect(try AppID("com.example.Notes") != AppID("com.example.notes"))
    }

    @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAA", "-_-_-_-_-_-_-_-_-_-_-Q"])
    func `a command id is 128 bits of base64url`(_ text: String) throws {
        let id = try CommandID(text)
        #expect(id.text == text)
        #expect(try Base64URL.decode(text).count == 16)
        #expect(CommandID(randomBytes: try Base64URL.decode(text)) == id)
    }

    @Test(arguments: [
        "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAAAAAAAAAAAAA+", "AAAAAAAAAAAAAAAAAAA\u{212A}",
    ])
    func `anything else is no command id`(_ text: String) {
        #expect(throws: Fault(.commandMeaning)) { try CommandID(text) }
    }

    @Test func `a flow id is a UUID in lower case`() throws {
        let text = "0b54a4a5-2c3e-4c55-9d1b-0123456789ab"
        #expect(try FlowID(text).text == text)
        for other in [
            "", text.uppercased(), "{\(text)}", text + "0", String(text.dropLast()), text.replacing("-", with: ""),
            text.replacing("-", with: "_"), text.replacing("b", with: "g"), "urn:uuid:\(text)",
            text.replacing("0", with: "٠"),
        ] {
            #expect(throws: Fault(.commandMeaning)) { try FlowID(other) }
        }
    }

    @Test func `every code of the module is listed once, with a meaning and a next step`() {
        let names = ErrorCode.handoff.map(\.name)
        #expect(Set(names).count == names.count)
        for code in ErrorCode.handoff {
            #expect(code.meaning.hasSuffix(".") && !code.nextStep.isEmpty, "\(code.name)")
        }
    }

    @Test func `every rule's code is listed`() {
        for rule in VerificationRules.standard.list {
            #expect(ErrorCode.handoff.contains(rule.code) || ErrorCode.jose.contains(rule.code), "\(rule.name)")
        }
    }
}
