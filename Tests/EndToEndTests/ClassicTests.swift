import Basics
import JOSE
import LinuxPlatform
import Platform
import Synchronization
import TestSupport
import Testing

/// A client of the original's plain URLs, with real programs and a real bus.
@Suite(.serialized) struct `A classic client of a home` {
    private static let id = "com.example.old"
    private static let idpScheme = "org.countersign.idp.classic"

    private static var request: String {
        let challenge = Base64URL.encode(Digest.sha256(Array("a verifier of forty-three characters or more".utf8)))
        let fields = FormFields([
            ("oauth_client_id", id), ("oauth_redirect_uri", "oldapp://callback"), ("code_challenge", challenge),
        ])
        return "\(idpScheme)://oauth2/v1.0/authrequest?\(fields.encoded)"
    }

    @Test func `gets a code where the process allows it, and nothing where it does not`() async throws {
        try await withLabHome { home in
            try await home.idp("apps", "add", Self.id, "--classic", "--redirect", "oldapp://callback").expect(
                2, "invalid-value")
            try await home.idp(
                "apps", "add", Self.id, "--classic", "--scheme", "oldapp", "--redirect", "oldapp://callback"
            ).expect(0)
            let plain = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            try await Self.withApp(on: try await home.bus(of: plain)) { app in
                try await app.bus.open(Self.request, at: LabHome.idpID, startIfNeeded: false)
            }
            await plain.stopped().expect(143)
            #expect(try home.log(LabHome.idpID).allSatisfy { !($0["message"]?.stringValue ?? "").contains("classic") })

            let serving = try await home.start(
                .idp, ["serve", "--json", "--prompt", "script:allow", "--allow-classic"])
            #expect(try await serving.ready()["classic"] == true)
            #expect(serving.errors.contains { $0.contains("unsigned") })
            try await Self.withApp(on: try await home.bus(of: serving)) { app in
                try await app.bus.open(Self.request, at: LabHome.idpID, startIfNeeded: false)
                let answer = try await eventually("an answer") { app.got.first }
                #expect(answer.hasPrefix("oldapp://oauth2/v1.0/authresponse?code="))
            }
            await serving.stopped().expect(143)
        }
    }

    @Test func `is red in every listing, has no folder and no keys, and can be removed`() async throws {
        try await withLabHome(users: []) { home in
            let added = try await home.idp(
                "apps", "add", Self.id, "--classic", "--scheme", "oldapp", "--redirect", "oldapp://callback", "--color",
                "always"
            ).expect(0)
            #expect(added.text.contains("\u{1B}[31m\(Self.id) is CLASSIC"))
            let listed = try await home.idp("apps", "list", "--color", "always").expect(0).text
            #expect(listed.contains("\u{1B}[31mCLASSIC, unsigned"))
            let json = try await home.idp("apps", "list", "--json").expect(0).json()
            #expect(json["classic"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [Self.id])
            #expect(json["clients"] == [])
            try await home.idp("apps", "add", "com.example.new", "--scheme", "oldapp").expect(2, "classic-scheme")
            try await home.idp("apps", "remove", Self.id).expect(0)
            try await home.idp("apps", "add", "com.example.new", "--scheme", "oldapp").expect(0)
            try await home.idp("apps", "show", Self.id).expect(1, "unknown-app")
        }
    }

    /// The app: its name on the bus, and what it was sent.
    private struct App {
        let bus: DBusCommandBus
        let inbox: Inbox

        final class Inbox: Sendable {
            let urls = Mutex<[String]>([])
        }

        var got: [String] { inbox.urls.withLock { $0 } }
    }

    private static func withApp(on address: String, _ body: (App) async throws -> Void) async throws {
        let loop = try EventLoop.start(name: "classic app")
        let bus = try await DBusCommandBus.connect(address: address, loop: loop)
        let inbox = App.Inbox()
        try await always {
            _ = try await bus.register(id) { delivery in
                if case .open(let url) = delivery.content { inbox.urls.withLock { $0.append(url) } }
            }
            try await body(App(bus: bus, inbox: inbox))
        } afterwards: {
            await bus.stop()
            loop.stop()
        }
    }
}
