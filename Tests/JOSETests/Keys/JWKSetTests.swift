import Basics
import JOSE
import Testing

@Suite struct JWKSetTests {
    private func set(_ keys: JSONValue...) -> JSONValue { ["keys": .array(keys)] }

    private var ec: JSONValue { get throws { try JSONValue(parsing: JWKTests.ec) } }

    @Test func `the set of RFC 7517 A.1 is read`() throws {
        let value = try JSONValue(parsing: RFCVectors.publicKeys)
        let set = try JWKSet(value)
        #expect(set.keys.map(\.keyType) == ["EC", "RSA"])
        #expect(set.keys.map(\.use) == [.enc, nil])
        #expect(set.key(id: "2011-04-29")?.keyType == "RSA")
        #expect(set.key(id: "2011-04-30") == nil)
        #expect(set.json == value)
    }

    @Test func `a key of an unknown type or curve is skipped`() throws {
        let unknown: JSONValue = ["kty": "AKP", "alg": "ML-DSA-44", "pub": "AQ"]
        #expect(try JWKSet(set(unknown, try ec, try ec.with(["crv": "P-521", "kid": "two"]))).keys.count == 1)
    }

    @Test func `a broken or private key spoils the set`() throws {
        #expect(throws: Fault(.invalidKey)) { try JWKSet(set(try ec, try ec.with(["x": .null, "kid": "two"]))) }
        #expect(throws: Fault(.exposedPrivateKey)) { try JWKSet(set(try ec, ["kty": "oct", "k": "AQ"])) }
        #expect(throws: Fault(.exposedPrivateKey)) { try JWKSet(set(try JSONValue(parsing: RFCVectors.rs256Key))) }
    }

    @Test func `one kid stands for one key`() throws {
        #expect(try JWKSet(set(try ec, try ec.with(["kid": "two"]))).keys.count == 2)
        #expect(throws: Fault(.ambiguousKeyID)) { try JWKSet(set(try ec, try ec)) }
    }

    @Test func `a set without an array of keys is none`() {
        #expect(throws: Fault(.invalidKey)) { try JWKSet([:]) }
        #expect(throws: Fault(.invalidKey)) { try JWKSet(["keys": [:]]) }
    }
}
