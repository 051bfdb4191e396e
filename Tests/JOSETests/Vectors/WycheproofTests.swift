import Basics
import JOSE
import Testing

/// Every `valid` vector of our algorithms is accepted, every `invalid` one refused.
///
/// Skipped without the files.
@Suite(.enabled(if: Wycheproof.isThere, "no Wycheproof vectors: set COUNTERSIGN_VECTORS to their folder"))
struct WycheproofTests {
    private func isValid(_ vector: Wycheproof.Vector, _ jwk: JSONValue, _ algorithm: SignatureAlgorithm) throws -> Bool
    {
        try VerificationKey(try JWK(jwk), algorithm: algorithm).isValid(vector.hex("sig"), for: vector.hex("msg"))
    }

    @Test func `P-256 signatures of 64 bytes`() throws {
        var count = 0
        for vector in try Wycheproof.vectors("ecdsa_secp256r1_sha256_p1363") {
            let point = bytes(hex: vector.group["publicKey"]?["uncompressed"]?.stringValue ?? "")
            let jwk: JSONValue = [
                "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point[1..<33])),
                "y": .string(Base64URL.encode(point[33..<65])),
            ]
            #expect(try isValid(vector, jwk, .es256) == vector.isValid, "\(vector.name)")
            count += 1
        }
        #expect(count > 200)
    }

    @Test func `Ed25519 signatures`() throws {
        var count = 0
        for vector in try Wycheproof.vectors("ed25519") {
            let jwk = try #require(vector.group["publicKeyJwk"])
            #expect(try isValid(vector, jwk, .edDSA) == vector.isValid, "\(vector.name)")
            count += 1
        }
        #expect(count > 100)
    }

    /// The payload that a vector's token has, by the path a caller takes: key set, `kid`, pinned algorithm.
    private func payload(_ vector: Wycheproof.Vector) throws -> [UInt8] {
        guard let given = vector.group["public"] ?? vector.group["private"] else { throw Fault(.invalidKey) }
        let set = try JWKSet(given["keys"] == nil ? ["keys": [given]] : given)
        let token = try UnverifiedJWS(compact: vector.test["jws"]?.stringValue ?? "")
        let key = try #require(token.keyID.map { set.key(id: $0) } ?? set.keys.first)
        guard let algorithm = key.algorithm.flatMap(SignatureAlgorithm.init(rawValue:)) else { throw Fault(.unfitKey) }
        return try token.verified(by: try VerificationKey(key, algorithm: algorithm))
    }

    /// Whether vector and key name the same algorithm, and it is one of ours.
    private func isOurs(_ vector: Wycheproof.Vector) -> Bool {
        let given = vector.group["public"] ?? vector.group["private"]
        let key = given?["keys"]?.arrayValue?.first ?? given
        guard let name = key?["alg"]?.stringValue, SignatureAlgorithm(rawValue: name) != nil else { return false }
        // One group of RFC 7520 calls its key PS256 and signs with PS384.
        let token = try? UnverifiedJWS(compact: vector.test["jws"]?.stringValue ?? "")
        return !vector.isValid || token?.algorithmName == name
    }

    @Test(arguments: ["json_web_signature", "json_web_key", "json_web_crypto"])
    func `signed tokens and the keys they come with`(file: String) throws {
        var accepted = 0
        var refused = 0
        for vector in try Wycheproof.vectors(file) where vector.test["jws"]?.stringValue != nil {
            if vector.isValid && isOurs(vector) {
                #expect(throws: Never.self, "\(vector.name)") { try payload(vector) }
                accepted += 1
            } else {
                // Valid ones of other algorithms (HMAC above all) are refused as well.
                #expect(throws: (any Error).self, "\(vector.name)") { try payload(vector) }
                refused += 1
            }
        }
        #expect(accepted > 0 && refused > 0)
    }

    @Test(arguments: ["json_web_encryption", "json_web_crypto"])
    func `encrypted tokens`(file: String) throws {
        var accepted = 0
        var refused = 0
        for vector in try Wycheproof.vectors(file) where vector.test["jwe"]?.stringValue != nil {
            guard let given = vector.group["private"], given["kty"] == "EC", given["crv"] == "P-256" else { continue }
            // Other key management over the same curve is refused by the token's own alg, so the key is let in.
            let key = try DecryptionKey(privateJWK: Secret(given.with(["alg": .null]).serializedText))
            func opened() throws -> [UInt8] {
                try UnverifiedJWE(compact: vector.test["jwe"]?.stringValue ?? "").decrypted(by: key)
            }
            if vector.isValid && given["alg"] == "ECDH-ES" && vector.test["enc"] == "A256GCM" {
                #expect(try opened() == vector.hex("pt"), "\(vector.name)")
                accepted += 1
            } else {
                #expect(throws: Fault.self, "\(vector.name)") { try opened() }
                refused += 1
            }
        }
        #expect(refused > 0 && (accepted > 0 || file == "json_web_crypto"))
    }
}
