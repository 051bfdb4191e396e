import Basics
import JOSE
import LinuxPlatform
import Platform
import StrictYAML
import Testing

struct ManifestFileTests {
    private func parse(_ text: String, expecting id: String? = nil) throws -> AppManifest {
        try ManifestFile.parse(Array(text.utf8), file: "app.yaml", expecting: id)
    }

    @Test func `a manifest that is written and read is the same`() throws {
        var manifest = try HomeFixture.client(groups: ["handoff", "family"])
        manifest.displayName = "Notes: “no” #1 \u{1F4DD}"
        manifest.domains = ["notes.example"]
        manifest.start = ["/opt/notes app/notes", "--quiet", "yes", "--quiet", "8"]
        manifest.delivery = .direct
        manifest.scopes = ["openid", "https://notes.example/read:all", "123"]
        manifest.identityProviders[0].switchRule = .silent
        manifest.identityProviders[0].allowsKeychain = false
        manifest.identityProviders[0].concurrency = .one
        manifest.identityProviders[0].clientID = "null"
        #expect(try parse(ManifestFile.text(manifest)) == manifest)
        let bare = AppManifest(id: "org.countersign.idp", displayName: "Countersign", role: .identityProvider)
        #expect(try parse(ManifestFile.text(bare)) == bare)
    }

    @Test(arguments: 0..<40)
    func `every key survives, whatever its digits look like`(_: Int) throws {
        let manifest = try HomeFixture.client()
        #expect(try parse(ManifestFile.text(manifest)) == manifest)
    }

    @Test func `what is left out has its usual value`() throws {
        let manifest = try parse("id: com.example.notes\nname: Notes\nrole: client\n")
        #expect(manifest == AppManifest(id: "com.example.notes", displayName: "Notes", role: .client))
        #expect(manifest.delivery == .any)
    }

    @Test func `a key may stand as JSON text, and the whole file as JSON`() throws {
        let manifest = try HomeFixture.client()
        let provider = manifest.identityProviders[0]
        let json: JSONValue = [
            "id": .string(manifest.id), "name": "Notes", "role": "client", "schemes": ["example-notes"],
            "redirect-uris": ["example-notes://oauth/done"], "scopes": ["openid"],
            "identity-providers": [
                [
                    "id": .string(provider.id), "name": "Countersign", "scheme": "countersign-idp",
                    "command-key": .string(provider.commandKey.serializedText),
                    "encryption-key": provider.encryptionKey, "issuer": "http://localhost:4711", "client-id": "notes",
                ]
            ],
        ]
        #expect(try parse(json.serializedText) == manifest)
    }

    @Test(arguments: [
        ("id: com.example.notes", "id: notes", 1), ("id: com.example.notes", "id: ../notes.x", 1),
        ("id: com.example.notes", "identifier: com.example.notes", 1), ("name: Notes", "name: \"\\u202Eseton\"", 2),
        ("name: Notes", "name:", 2), ("role: client", "role: clients", 3), ("- example-notes", "- Example", 5),
        ("- example-notes", "- https", 5), ("- openid", "- \"open id\"", 7), ("- openid", "- openid\n  - openid", 8),
        ("- x-notes:/done", "- \"x-notes:/done#here\"", 9), ("- x-notes:/done", "- done", 9),
        ("delivery: direct", "delivery: indirect", 10), ("- handoff", "- ../handoff", 12),
        ("- notes.example", "- https://notes.example", 14),
    ])
    func `a value that its rule forbids is refused with its line`(good: String, bad: String, line: Int) throws {
        let text = """
            id: com.example.notes
            name: Notes
            role: client
            schemes:
              - example-notes
            scopes:
              - openid
            redirect-uris:
              - x-notes:/done
            delivery: direct
            groups:
              - handoff
            domains:
              - notes.example

            """
        #expect(throws: Never.self) { try parse(text) }
        let fault = #expect(throws: Fault.self) { try parse(text.replacing(good, with: bad)) }
        #expect(fault?.code == .invalidYAML)
        #expect(fault?.text.hasPrefix("app.yaml:\(line):") == true, "\(fault?.text ?? "")")
    }

    @Test func `a pinned key must be public, of its kind and for its use`() throws {
        let manifest = try HomeFixture.client()
        let signing = try SigningKey.generate(.es256)
        let provider = manifest.identityProviders[0]
        func parse(command: JSONValue, encryption: JSONValue) throws {
            var changed = manifest
            changed.identityProviders[0].commandKey = command
            changed.identityProviders[0].encryptionKey = encryption
            _ = try self.parse(ManifestFile.text(changed))
        }
        #expect(throws: Never.self) { try parse(command: provider.commandKey, encryption: provider.encryptionKey) }
        let privateKey = try JSONValue(parsing: signing.privateJWK().unmasked)
        let fault = #expect(throws: Fault.self) {
            try parse(command: privateKey, encryption: provider.encryptionKey)
        }
        #expect(fault?.code == .invalidYAML)
        let number = try #require(privateKey["d"]?.stringValue)
        #expect(fault?.text.contains(number) == false)
        #expect(throws: Fault(.invalidYAML)) {
            try parse(command: provider.encryptionKey, encryption: provider.encryptionKey)
        }
        #expect(throws: Fault(.invalidYAML)) {
            try parse(command: provider.commandKey, encryption: provider.commandKey)
        }
        #expect(throws: Fault(.invalidYAML)) { try parse(command: "not JSON", encryption: provider.encryptionKey) }
        for algorithm: SignatureAlgorithm in [.edDSA, .ps256] {
            let key = try SigningKey.generate(algorithm).verificationKey.jwk
            #expect(throws: Never.self) { try parse(command: key.json, encryption: provider.encryptionKey) }
            let renamed = key.with(use: .sig, algorithm: "ES256", keyID: nil).json
            #expect(throws: Fault(.invalidYAML)) { try parse(command: renamed, encryption: provider.encryptionKey) }
        }
        let rsa = try SigningKey.generate(.rs256).verificationKey.jwk.json
        #expect(throws: Fault(.invalidYAML)) { try parse(command: rsa, encryption: provider.encryptionKey) }
    }

    @Test func `a manifest in another app's folder is refused`() async throws {
        let fixture = try HomeFixture()
        let home = try await fixture.make()
        try home.write(try HomeFixture.client())
        #expect(try home.manifest(of: "com.example.notes").id == "com.example.notes")
        let folder = try PrivateDirectory(creating: home.layout.app("com.example.mail"))
        try ManifestFile.write(try HomeFixture.client(), to: folder.path(of: "app.yaml"))
        #expect(throws: Fault(.invalidYAML)) { try home.manifest(of: "com.example.mail") }
        #expect(try home.apps() == ["com.example.mail", "com.example.notes"])
        #expect(try home.removeApp("com.example.mail"))
        #expect(try !home.removeApp("com.example.mail"))
        #expect(try home.apps() == ["com.example.notes"])
    }
}
