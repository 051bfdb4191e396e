import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import TestSupport
import Testing

@testable import IdentityBroker

@Suite struct `A client's request object` {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let keys: SomeKeys
    private let client: RegisteredClientApp
    private let issuer: Issuer

    init() throws {
        keys = try SomeKeys()
        client = try keys.entry(try AppID("org.example.notes")).registeredClient()
        issuer = try Issuer("http://localhost:8123")
    }

    /// What the check says to the client; nothing when it takes the object.
    private func refusal(
        key: SigningKey? = nil, _ change: (inout RequestObject) throws -> Void = { _ in }
    ) throws -> (reason: AuthError.Reason, code: ErrorCode)? {
        var object = RequestObject(
            request: AuthorizationRequest(
                clientID: client.entry.clientID, redirectURI: client.entry.redirectURIs[0],
                scope: try ScopeSet("openid"), state: try State("state"), nonce: try Nonce("nonce"),
                codeChallenge: CodeVerifier(randomBytes: [UInt8](repeating: 5, count: 32)).challenge,
                dpopThumbprint: client.oauthKey.thumbprint),
            audience: issuer, id: "id-1", issuedAt: now, expires: now + .seconds(60))
        try change(&object)
        let compact = try object.signed(by: key ?? keys.keys.oauth)
        do throws(Refusal) {
            _ = try RequestCheck.verify(compact, of: client, issuer: issuer, now: now)
            return nil
        } catch {
            return (error.reason, error.fault.code)
        }
    }

    @Test func `is taken when it keeps to its row`() throws { #expect(try refusal() == nil) }

    @Test(.rule("S2")) func `is refused under any key but the client's own OAuth key`() throws {
        #expect(try refusal(key: try SigningKey.generate(.es256))?.reason == .invalidRequest)
        // The command key is for commands alone.
        #expect(try refusal(key: keys.keys.command)?.reason == .invalidRequest)
    }

    @Test func `is refused for another client, another issuer, or when it has expired`() throws {
        #expect(try refusal { $0.request.clientID = try ClientID("org.example.photos") }?.reason == .invalidRequest)
        #expect(try refusal { $0.audience = try Issuer("http://localhost:9") }?.reason == .invalidRequest)
        #expect(
            try refusal {
                $0.issuedAt = now - .seconds(200)
                $0.expires = now - .seconds(100)
            }?.code == .tokenExpired)
    }

    @Test(.rule("S2", "S22", "S26")) func `is refused with a redirect URI or a scope that its row does not have`()
        throws
    {
        #expect(
            try refusal { $0.request.redirectURI = try RedirectURI("org.example.notes://callback/") }?.code
                == .unregisteredRedirect)
        #expect(try refusal { $0.request.scope = try ScopeSet("openid email") }?.code == .unregisteredScope)
        #expect(try refusal { $0.request.scope = try ScopeSet("openid profile") } == nil)
    }

    @Test(.rule("S22")) func `keeps to its redirect URI whole, whatever the other begins or ends with`() throws {
        for other in [
            "org.example.notes://callback.evil", "org.example.notes://callback/x", "org.example.notes://callback?x=y",
            "org.example.notes://Callback", "org.example.notes.evil://callback", "org.example.note://callback",
        ] {
            #expect(
                try refusal { $0.request.redirectURI = try RedirectURI(other) }?.code == .unregisteredRedirect,
                "\(other)")
        }
        #expect(try refusal { $0.request.redirectURI = try RedirectURI("org.example.notes://callback") } == nil)
    }

    @Test(.rule("S4", "T27")) func `may name the issuer's host or none; another registered one cannot be served here`()
        throws
    {
        var entry = client.entry
        entry.hosts = ["Login.Example.com"]
        let client = try entry.registeredClient()
        func refusal(_ host: String?) -> Refusal? {
            do throws(Refusal) {
                try RequestCheck.verify(loginHost: host, of: client, issuer: issuer)
                return nil
            } catch {
                return error
            }
        }
        for host in [nil, "localhost:8123", "LOCALHOST:8123"] { #expect(refusal(host) == nil) }
        for host in [
            "evil.example", "login.example.com.evil.example", "login.example.com:443", "localhost", "localhost:81",
            // A letter that lenient lower-casing makes a k.
            "evil.example/localhost:8123", "lo\u{212A}alhost:8123", "",
        ] {
            #expect(refusal(host)?.fault.code == .unregisteredHost, "\(host)")
            #expect(refusal(host)?.reason == .invalidRequest)
        }
        for host in ["login.example.com", "LOGIN.example.COM"] { #expect(refusal(host)?.reason == .cannotBroker) }
    }

    @Test func `is refused when any key could redeem its code`() throws {
        #expect(try refusal { $0.request.dpopThumbprint = nil }?.code == .unboundRequest)
        #expect(
            try refusal { $0.request.dpopThumbprint = try SigningKey.generate(.es256).thumbprint }?.code
                == .unboundRequest)
    }

    @Test func `is refused without state or nonce`() throws {
        #expect(try refusal { $0.request.state = nil }?.code == .commandMeaning)
        #expect(try refusal { $0.request.nonce = nil }?.code == .commandMeaning)
    }
}
