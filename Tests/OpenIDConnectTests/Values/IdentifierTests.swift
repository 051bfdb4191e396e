import Basics
import OpenIDConnect
import Testing

struct IdentifierTests {
    private static let longest = String(repeating: "a", count: 255)

    @Test func `a client id is 1 to 255 visible ASCII characters`() throws {
        #expect(try ClientID(Self.longest).text == Self.longest)
        #expect(throws: Fault(.invalidClientID)) { try ClientID(Self.longest + "a") }
        #expect(throws: Fault(.invalidClientID)) { try ClientID("") }
        #expect(throws: Fault(.invalidClientID)) { try ClientID("notes\u{0}") }
        #expect(throws: Fault(.invalidClientID)) { try ClientID("nötes") }
    }

    @Test func `a subject is 1 to 255 visible ASCII characters`() throws {
        #expect(try Subject(Self.longest).text == Self.longest)
        #expect(throws: Fault(.invalidSubject)) { try Subject(Self.longest + "a") }
        #expect(throws: Fault(.invalidSubject)) { try Subject("") }
        #expect(throws: Fault(.invalidSubject)) { try Subject("al\u{202E}ice") }
    }

    @Test func `a state and a nonce are 1 to 512 visible ASCII characters`() throws {
        let longest = String(repeating: "~", count: 512)
        #expect(try State(longest).text == longest)
        #expect(try Nonce(longest).text == longest)
        for text in ["", longest + "~", "a\tb", "é"] {
            #expect(throws: Fault(.invalidState)) { try State(text) }
            #expect(throws: Fault(.invalidNonce)) { try Nonce(text) }
        }
    }
}
