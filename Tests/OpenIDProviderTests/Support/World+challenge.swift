import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform

/// What a broker holds after its own sign-in.
struct BrokerLogin: Sendable {
    var idToken: String
    var deviceSecret: String
    var accessToken: String
    var refreshToken: String

    var fields: [(String, String)] { [("id_token_hint", idToken), ("device_secret", deviceSecret)] }
}

extension World {
    /// A call of `/authorize-challenge` by an app that authenticates with its key and proves `key`.
    func challenge(_ fields: [(String, String)], as app: App? = nil, key: SigningKey? = nil) async throws -> Reply {
        let app = app ?? broker
        return await post(
            .challenge, fields + (try assertion(app)), headers: try proof(key ?? app.key, .challenge))
    }

    /// The fields of the broker's own sign-in.
    func loginFields(
        _ username: String, _ password: String, _ verifier: CodeVerifier, nonce: String = "n-1"
    ) -> [(String, String)] {
        [
            ("username", username), ("password", password), ("scope", "openid profile offline_access device_sso"),
            ("code_challenge", verifier.challenge.text), ("nonce", nonce), ("redirect_uri", broker.redirectURI.text),
        ]
    }

    /// Signs the broker in and redeems its code.
    func brokerLogin(_ username: String = "alice") async throws -> BrokerLogin {
        let verifier = verifier()
        let answer = try await challenge(loginFields(username, World.password, verifier))
        let tokens = try await redeem(
            try answer.string("authorization_code"), of: broker, verifier, key: broker.key,
            clientFields: try assertion(broker))
        return BrokerLogin(
            idToken: try tokens.string("id_token"), deviceSecret: try tokens.string("device_secret"),
            accessToken: try tokens.string("access_token"), refreshToken: try tokens.string("refresh_token"))
    }

    /// A request object as the app signs it.
    func requestObject(
        of app: App, _ verifier: CodeVerifier, signedBy key: SigningKey? = nil, id: String? = nil,
        change: (inout AuthorizationRequest) -> Void = { _ in }
    ) throws -> String {
        var request = AuthorizationRequest(
            clientID: app.id, redirectURI: app.redirectURI, scope: try ScopeSet("openid email offline_access"),
            state: try State("s-1"), nonce: try Nonce("n-2"), codeChallenge: verifier.challenge,
            dpopThumbprint: app.key.thumbprint)
        change(&request)
        let object = RequestObject(
            request: request, audience: issuer, id: id ?? freshID(), issuedAt: clock.now,
            expires: clock.now + .seconds(120))
        return try object.signed(by: key ?? app.key)
    }

    /// A code for another app, as the broker gets it.
    func handoffCode(for app: App? = nil, _ verifier: CodeVerifier, login: BrokerLogin? = nil) async throws -> String {
        let login = if let login { login } else { try await brokerLogin() }
        let object = try requestObject(of: app ?? notes, verifier)
        let answer = try await challenge([("request", object)] + login.fields)
        return try answer.string("authorization_code")
    }

    /// The tokens of an app after a hand-off.
    func handoffTokens(for app: App? = nil) async throws -> Reply {
        let (app, verifier) = (app ?? notes, verifier())
        return try await redeem(
            try await handoffCode(for: app, verifier), of: app, verifier, key: app.key)
    }
}
