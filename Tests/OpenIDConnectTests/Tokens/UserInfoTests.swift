import Basics
import OpenIDConnect
import Testing

struct UserInfoTests {
    @Test func `userinfo about the subject of the ID token is taken`() throws {
        let info = try UserInfo(json: ["sub": "alice-1", "name": "Alice"], expecting: Subject("alice-1"))
        #expect(info.subject.text == "alice-1")
        #expect(info.claims["name"] == "Alice")
        #expect(!"\(info)".contains("Alice"))
    }

    @Test(
        arguments: [["sub": "bob-1"], ["sub": "ALICE-1"], ["name": "Alice"], ["sub": 1], [], "alice-1"] as [JSONValue])
    func `userinfo about anybody else is refused`(json: JSONValue) {
        #expect(throws: Fault(.userInfoSubject)) { try UserInfo(json: json, expecting: Subject("alice-1")) }
    }
}
