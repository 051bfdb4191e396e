import Basics
import Handoff
import IdentityBroker
import JOSE
import Testing

@Suite struct `An app's certificate request` {
    private let key: SigningKey
    private let id: AppID

    init() throws {
        key = try SigningKey.generate(.es256)
        id = try AppID("com.example.notes")
    }

    private func request(
        _ commonName: String, _ names: [SubjectAlternativeName] = []
    ) throws -> CertificateRequest {
        try CertificateRequest(
            pem: CertificateRequest.make(commonName: commonName, subjectAlternativeNames: names, key: key))
    }

    @Test func `names the app by its common name, its URN or both`() throws {
        let jwk = key.verificationKey.jwk
        try request("com.example.notes").require(id, commandKey: jwk)
        try request("com.example.notes", [.app(id.text)]).require(id, commandKey: jwk)
        let long = try AppID("com.example." + String(repeating: "n", count: 63) + ".notes")
        try request(String(long.text.suffix(64))).require(long, commandKey: jwk)
    }

    @Test(
        arguments: [
            ("com.example.other", []), ("com.example.Notes", []), ("com.example.notes", [.app("com.example.other")]),
            ("com.example.notes", [.app("com.example.notes"), .dns("localhost")]), ("com.example.notes\u{0}", []),
        ] as [(String, [SubjectAlternativeName])])
    func `is refused where it names anybody else as well`(_ name: String, _ names: [SubjectAlternativeName]) throws {
        let request = try request(name, names)
        #expect(throws: Fault(.requestForOtherName)) {
            try request.require(id, commandKey: key.verificationKey.jwk)
        }
    }

    @Test func `is for the command key and no other`() throws {
        let request = try request("com.example.notes")
        try request.require(id, commandKey: key.verificationKey.jwk)
        #expect(throws: Fault(.requestForOtherKey)) {
            try request.require(id, commandKey: try SigningKey.generate(.es256).verificationKey.jwk)
        }
    }
}
