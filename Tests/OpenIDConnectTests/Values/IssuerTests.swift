import Basics
import FoundationEssentials
import OpenIDConnect
import Testing

struct IssuerTests {
    @Test(arguments: [
        "https://id.example.com", "https://id.example.com/", "https://id.example.com:8443/tenant/one",
        "http://localhost:8080", "http://127.0.0.1", "http://[::1]:9/x", "https://[2001:db8::1]",
    ])
    func `an issuer is an https URL, or an http one to this machine`(text: String) throws {
        #expect(try Issuer(text).text == text)
    }

    @Test(arguments: [
        "", "id.example.com", "http://id.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1",
        "http://LOCALHOST", "HTTPS://id.example.com", "ftp://localhost", "https://", "https:///x", "https://:443",
        "https://id.example.com?x=1", "https://id.example.com?", "https://id.example.com#x", "https://id.example.com#",
        "https://alice@id.example.com", "http://localhost@evil.example", "https://id.example.com:0",
        "https://id.example.com:65536", "https://id.example.com:x", "https://id.example.com:", "https://id example.com",
        "https://id.example.com/%zz", "https://id.example.com\n", "https://idé.example.com", "https://[::1",
        "https://[::1]x", "https://a[::1]", "https://id.example.com\\@evil.example",
    ])
    func `anything else is not an issuer`(text: String) {
        #expect(throws: Fault(.invalidIssuer)) { try Issuer(text) }
    }

    @Test func `issuers are equal byte by byte, so a trailing slash makes another one`() throws {
        #expect(try Issuer("https://id.example.com") == Issuer("https://id.example.com"))
        #expect(try Issuer("https://id.example.com") != Issuer("https://id.example.com/"))
        #expect(try Issuer("https://id.example.com") != Issuer("https://ID.example.com"))
        #expect(try Issuer("https://id.example.com") != Issuer("https://id.example.com:443"))
    }

    @Test func `an address below the issuer has one slash between`() throws {
        #expect(try Issuer("http://localhost:8080").url("/token") == "http://localhost:8080/token")
        #expect(try Issuer("http://localhost:8080/").url("/token") == "http://localhost:8080/token")
        #expect(try Issuer("https://id.example.com/a").url("token") == "https://id.example.com/a/token")
    }

    @Test func `the authority is what the Host header has`() throws {
        #expect(try Issuer("http://localhost:8080/x").authority == "localhost:8080")
        #expect(try Issuer("https://id.example.com").authority == "id.example.com")
        #expect(try Issuer("http://[::1]:9").authority == "[::1]:9")
    }

    @Test func `a value is stored as its bare text, and checked when it is read`() throws {
        let encoded = try JSONEncoder().encode([try Issuer("http://localhost:8080")])
        #expect(try JSONDecoder().decode([Issuer].self, from: encoded).map(\.text) == ["http://localhost:8080"])
        #expect(try JSONDecoder().decode([String].self, from: encoded) == ["http://localhost:8080"])
        #expect(throws: Fault(.invalidIssuer)) {
            try JSONDecoder().decode([Issuer].self, from: Data(#"["http://evil.example"]"#.utf8))
        }
    }
}
