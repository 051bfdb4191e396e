import Basics
import OpenIDConnect
import Testing

struct ScopeSetTests {
    @Test func `the order of names means nothing and none stands twice`() throws {
        let scope = try ScopeSet("profile openid profile")
        #expect(scope.names == ["openid", "profile"])
        #expect(scope.text == "openid profile")
        #expect(try scope == ScopeSet(["openid", "profile"]))
    }

    @Test func `no name at all is the empty set`() throws {
        #expect(try ScopeSet("").names == [])
        #expect(try ScopeSet("").isEmpty)
    }

    @Test(arguments: [" ", " openid", "openid ", "openid  profile", "openid\tprofile", "a\"b", "a\\b", "é", "a\u{0}"])
    func `other separators and characters are refused`(text: String) {
        #expect(throws: Fault(.invalidScope)) { try ScopeSet(text) }
    }

    @Test func `a name may hold every character that RFC 6749 allows`() throws {
        #expect(try ScopeSet("https://api.example.com/read!~[]^").names.count == 1)
        #expect(throws: Fault(.invalidScope)) { try ScopeSet(["two words"]) }
    }

    @Test func `64 names are taken and 65 are not`() throws {
        let names = (0..<65).map { "s\($0)" }
        #expect(try ScopeSet(Array(names.dropLast())).names.count == 64)
        #expect(throws: Fault(.invalidScope)) { try ScopeSet(names) }
    }

    @Test func `a set knows its parts`() throws {
        let scope = try ScopeSet("openid profile")
        #expect(scope.contains("openid") && !scope.contains("open"))
        #expect(try ScopeSet("openid").isSubset(of: scope))
        #expect(try !scope.isSubset(of: ScopeSet("openid")))
        #expect(try scope.intersection(ScopeSet("profile email")).text == "profile")
    }
}
