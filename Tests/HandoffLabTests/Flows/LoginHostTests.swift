import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import Synchronization
import TestSupport
import Testing

/// The host that the person chose at the client: from there to the registry at the identity provider app.
@Suite struct `A login host` {
    /// A view that hands a host back, and chooses a flow.
    private final class View: LoginFlowSelectionView {
        private struct State {
            weak var delegate: (any LoginFlowSelectionViewDelegate)?
            var options: [String: String] = [:]
        }

        private let state = Mutex(State())
        private let host: String?

        init(handingBack host: String?) { self.host = host }

        var selectionFlowDelegate: (any LoginFlowSelectionViewDelegate)? {
            get { state.withLock { $0.delegate } }
            set { state.withLock { $0.delegate = newValue } }
        }
        var appOptions: [String: String] {
            get { state.withLock { $0.options } }
            set { state.withLock { $0.options = newValue } }
        }

        func present() {
            var options = appOptions
            options["login_host"] = host
            selectionFlowDelegate?.loginFlowSelectionIDPSelected(self, options: options)
        }
    }

    /// What an `authrequest` names, as the identity provider app reads it.
    private static func named(in url: String, _ world: LabWorld) throws -> String? {
        let app = try world.app(idp)
        guard let shape = try CommandURL(url, schemes: app.manifest.schemes) else { throw Fault(.commandShape) }
        return try UnverifiedCommand(shape, decryptionKeys: [app.keys.encryption]).fields["login_host"]?.stringValue
    }

    private static func options(_ host: String?, via: LoginOptions.Via = .identityProvider(nil)) -> LoginOptions {
        LoginOptions(via: via, loginHost: host, timeout: .seconds(20))
    }

    @Test(.rule("S4", "T27")) func `of the caller reaches the identity provider app, which takes what is registered`()
        throws
    {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.hosts = ["login.example.com"] }])
        try simulate(plan) { world in
            let tap = Tap()
            let http = NotedHTTP(world.network)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.http = http }
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            for host in [nil, "localhost:8123", "LOCALHOST:8123"] {
                #expect(try await client.role.login(Self.options(host)).0.username == "alice")
                #expect(try Self.named(in: try #require(tap.urls(.authrequest).last), world) == host)
            }
            let accounts = try await client.role.accounts.all()
            let own = try await broker.role.accounts.all()
            // Registered, and nobody is signed in there through this app.
            #expect(
                await failure { try await client.role.login(Self.options("login.example.com")) }?.code
                    == .cannotBroker)
            for host in ["evil.example", "localhost", "localhost:8124"] {
                let count = world.refusals(of: idp).count
                #expect(await failure { try await client.role.login(Self.options(host)) }?.code == .peerRefused)
                #expect(try Self.named(in: try #require(tap.urls(.authrequest).last), world) == host)
                #expect(world.refusals(of: idp).dropFirst(count) == ["unregistered-host"])
            }
            #expect(try await client.role.accounts.all() == accounts)
            #expect(try await broker.role.accounts.all() == own)
            #expect(http.urls.allSatisfy { $0.hasPrefix(world.issuer.text + "/") })
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T27")) func `that the app's own view hands back reaches it too, where this app knows it`() throws {
        try simulate { world in
            let tap = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            for (handedBack, sent) in [("LocalHost:8123", "localhost:8123"), ("evil.example", nil), (nil, nil)] {
                await client.role.setLoginFlowSelection { View(handingBack: handedBack) }
                #expect(try await client.role.login(Self.options(nil, via: .ask)).0.username == "alice")
                #expect(try Self.named(in: try #require(tap.urls(.authrequest).last), world) == sent)
            }
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T27")) func `of a local login is a provider's of this app, and no page of another one is opened`()
        throws
    {
        try simulate { world in
            let opener = NotedOpener()
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.opener = opener }
            for host in ["evil.example", "localhost", ""] {
                #expect(
                    await failure { try await client.role.login(Self.options(host, via: .local)) }?.code
                        == .unknownLoginHost)
            }
            #expect(opener.opened.isEmpty)
            // Its page is opened; that nobody answers there is another matter.
            #expect(
                await failure { try await client.role.login(Self.options("LOCALHOST:8123", via: .local)) }?.code
                    == .deadlinePassed)
            #expect(opener.opened.count == 1)
            #expect(opener.opened.allSatisfy { $0.hasPrefix(world.issuer.text + "/") })
            #expect(
                await failure { try await client.role.login(Self.options("")) }?.code == .unknownLoginHost)
            await client.stop()
        }
    }
}
