import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect
import Testing

/// Which logins a `logout` means.
@Suite struct LogoutAimTests {
    private static let issuer = "http://localhost:8123"
    private static let now = Timestamp(seconds: 1_800_000_000)

    private func account(_ subject: String = "u1", issuer: String = LogoutAimTests.issuer) -> UserAccount {
        UserAccount(
            issuer: issuer, subject: subject, username: "alice", displayName: nil, email: nil, scopes: [],
            loggedInAt: Self.now)
    }

    private func tokens(session: String? = nil, signedInAt: Timestamp? = nil) throws -> TokenSet {
        let idToken = try signedInAt.map { instant in
            try JWS.sign(
                JSONValue.object(["auth_time": .integer(instant.seconds)]).serialized(), header: [:],
                by: try SigningKey.generate(.es256))
        }
        return TokenSet(
            accessToken: Secret("a"), tokenType: "DPoP", expires: Self.now, refreshToken: nil,
            idToken: idToken.map { Secret($0) }, sessionID: session)
    }

    private func aim(
        subject: String = "u1", session: String? = nil, at instant: Timestamp? = nil, tokenSubject: String? = "u1",
        tokenSession: String? = nil
    ) throws -> LogoutAim {
        let scope: LogoutRequest.Scope = instant == nil ? .device : .everywhere
        let request = LogoutRequest(issuer: Self.issuer, subject: subject, sessionID: session, scope: scope)
        guard let instant else { return try LogoutAim(request, provedBy: nil) }
        let key = try SigningKey.generate(.es256)
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": "notes", "iat": .integer(instant.seconds),
            "exp": .integer(instant.seconds + 60), "jti": "x", "events": [LogoutToken.event: [:]],
        ]
        claims["sub"] = tokenSubject.map(JSONValue.string)
        claims["sid"] = tokenSession.map(JSONValue.string)
        let compact = try JWS.sign(
            JSONValue.object(claims).serialized(), header: ["typ": "logout+jwt", "kid": .string(key.keyID)], by: key)
        let jwk = key.verificationKey.jwk.with(use: .sig, algorithm: "ES256", keyID: key.keyID)
        let trusted = TrustedIssuer(
            issuer: try Issuer(Self.issuer), clientID: try ClientID("notes"), algorithms: [.es256],
            keys: JWKSet(keys: [jwk]))
        let token = try LogoutTokenVerifier(trusted).verify(compact, now: instant)
        return try LogoutAim(request, provedBy: token)
    }

    @Test func `the account is one by issuer and subject`() throws {
        let aim = try aim()
        #expect(aim.means(account(), try tokens()))
        #expect(!aim.means(account("u2"), try tokens()))
        #expect(!aim.means(account(issuer: "http://localhost:9"), try tokens()))
        #expect(!aim.means(account("u1\u{301}"), try tokens()))
    }

    @Test func `a session that is named is the only one meant`() throws {
        #expect(try aim(session: "s1").means(account(), try tokens(session: "s1")))
        #expect(try !aim(session: "s1").means(account(), try tokens(session: "s2")))
        #expect(try aim(session: "s1").means(account(), try tokens(session: nil)))
        #expect(try aim(session: nil).means(account(), try tokens(session: "s2")))
    }

    @Test func `a login without tokens is over, and goes whatever its session was`() throws {
        #expect(try aim(session: "s1").means(account(), nil))
    }

    @Test func `everywhere ends what began before the provider said so, and nothing after`() throws {
        let aim = try aim(at: Self.now)
        #expect(aim.means(account(), try tokens(signedInAt: Self.now - .seconds(1))))
        #expect(aim.means(account(), try tokens(signedInAt: Self.now)))
        #expect(!aim.means(account(), try tokens(signedInAt: Self.now + .seconds(1))))
        // Without an ID token, by this app's own clock.
        #expect(aim.means(account(), try tokens()))
        #expect(try !self.aim(at: Self.now - .seconds(1)).means(account(), try tokens()))
    }

    @Test func `a logout token is about the account that the command names`() throws {
        #expect(throws: Never.self) { try aim(at: Self.now) }
        #expect(throws: Fault(.logoutTokenAccount)) { try aim(at: Self.now, tokenSubject: "u2") }
        #expect(throws: Fault(.logoutTokenAccount)) {
            try aim(session: "s1", at: Self.now, tokenSubject: nil, tokenSession: "s1")
        }
        #expect(throws: Fault(.logoutTokenAccount)) { try aim(session: "s1", at: Self.now, tokenSession: "s2") }
        #expect(throws: Never.self) { try aim(session: "s1", at: Self.now, tokenSession: "s1") }
    }
}
