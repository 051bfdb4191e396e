import Basics
import JOSE
import Testing

/// Both directions against an independent library.
///
/// Skipped where Python has no jwcrypto.
@Suite(.enabled(if: JWCrypto.isThere, "python3 (or COUNTERSIGN_PYTHON) cannot import jwcrypto"), .serialized)
struct InteropTests {
    private let payload = utf8(#"{"iss":"notes","ü":"é"}"#)

    private var encodedPayload: JSONValue { .string(Base64URL.encode(payload)) }

    private func json(_ secret: Secret<String>) throws -> JSONValue { try JSONValue(parsing: secret.unmasked) }

    @Test func `they verify what we sign, and read our keys and thumbprints`() throws {
        var requests: [JSONValue] = []
        for algorithm in SignatureAlgorithm.allCases {
            let key = Keys.signing(algorithm)
            let alg = JSONValue.string(algorithm.rawValue)
            let token = try JWS.sign(payload, header: ["typ": "test+jwt"], by: key)
            let jwk = key.verificationKey.jwk.json
            requests.append(["do": "verify", "public": jwk, "alg": alg, "token": .string(token)])
            requests.append(
                ["do": "verify", "public": jwk, "alg": alg, "token": .string(tampered(token, part: 2))])
            requests.append(["do": "thumbprint", "public": jwk])
        }
        let answers = try JWCrypto.answers(to: requests)
        #expect(answers.count == requests.count)
        for (place, algorithm) in SignatureAlgorithm.allCases.enumerated() {
            #expect(answers[place * 3]["payload"] == encodedPayload)
            #expect(answers[place * 3 + 1]["error"] != nil)
            #expect(answers[place * 3 + 2]["thumbprint"]?.stringValue == Keys.signing(algorithm).keyID)
        }
    }

    @Test func `we verify what they sign, with their keys and with ours`() throws {
        let algorithms = SignatureAlgorithm.allCases
        let made = try JWCrypto.answers(to: algorithms.map { ["do": "generate", "alg": .string($0.rawValue)] })
        var keys: [SigningKey] = []
        var requests: [JSONValue] = []
        for (algorithm, answer) in zip(algorithms, made) {
            let theirs = try #require(answer["private"])
            let read = try SigningKey(privateJWK: Secret(theirs.serializedText), algorithm: algorithm)
            #expect(read.keyID == answer["thumbprint"]?.stringValue)
            for (key, jwk) in [
                (read, theirs), (Keys.signing(algorithm), try json(Keys.signing(algorithm).privateJWK())),
            ] {
                keys.append(key)
                requests.append(
                    ["do": "sign", "private": jwk, "alg": .string(algorithm.rawValue), "payload": encodedPayload])
            }
        }
        let answers = try JWCrypto.answers(to: requests)
        #expect(answers.count == 8)
        for (key, answer) in zip(keys, answers) {
            let token = try UnverifiedJWS(compact: try #require(answer["token"]?.stringValue))
            #expect(try token.verified(by: key.verificationKey) == payload)
        }
    }

    @Test func `each opens what the other encrypts`() throws {
        let key = try DecryptionKey.generate()
        let privateKey = try json(key.privateJWK())
        let parties: JSONValue = ["apu": "QWxpY2U", "apv": "Qm9i"]
        let ours = try JWE.encrypt(payload, header: ["cty": "test+jwt"], to: key.encryptionKey)
        let oursWithParties = try JWE.encrypt(payload, header: parties.objectValue ?? [:], to: key.encryptionKey)
        let jwk = key.encryptionKey.jwk.json
        let answers = try JWCrypto.answers(to: [
            ["do": "decrypt", "private": privateKey, "token": .string(ours)],
            ["do": "decrypt", "private": privateKey, "token": .string(oursWithParties)],
            ["do": "decrypt", "private": privateKey, "token": .string(tampered(ours, part: 3))],
            ["do": "encrypt", "public": jwk, "header": [:], "payload": encodedPayload],
            ["do": "encrypt", "public": jwk, "header": parties, "payload": encodedPayload],
        ])
        #expect(answers[0]["payload"] == encodedPayload && answers[1]["payload"] == encodedPayload)
        #expect(answers[2]["error"] != nil)
        for answer in answers[3...4] {
            let token = try UnverifiedJWE(compact: try #require(answer["token"]?.stringValue))
            #expect(try token.decrypted(by: key) == payload)
        }
    }
}
