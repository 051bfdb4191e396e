import Basics
import JOSE
import OpenIDConnect
import Platform

/// Makes and signs the tokens of one answer.
struct TokenIssuer: Sendable {
    let context: ProviderContext
    let now: Timestamp

    private var configuration: ProviderConfiguration { context.configuration }

    /// - Parameters:
    ///   - key: the key proved in this request.
    ///   - session: the session the grant came from, where it is still alive.
    ///   - isFirst: whether this answers a code, and not a refresh token.
    func issue(
        _ facts: GrantFacts, to client: RegisteredClient, scope: ScopeSet, key: KeyThumbprint?,
        session: ProviderSession?, isFirst: Bool
    ) throws -> IssuedTokens {
        let access = try accessToken(facts, client, scope, key)
        let refresh = refreshToken(facts, client, key)
        let device = isFirst ? try deviceSecret(facts, client, key) : nil
        var members: [String: JSONValue] = [
            "access_token": .string(access.text),
            "token_type": key == nil ? "Bearer" : "DPoP",
            "expires_in": .integer(configuration.accessTokenLifetime.components.seconds),
            "scope": .string(scope.text),
        ]
        if let refresh { members["refresh_token"] = .string(refresh.token.unmasked) }
        if let device { members["device_secret"] = .string(device.secret.unmasked) }
        if scope.contains("openid") {
            let known = session?.device.flatMap { $0.clientID == client.id ? $0.secretHash : nil }
            members["id_token"] = .string(
                try idToken(
                    facts, client, accessToken: access.text, nonce: isFirst ? facts.nonce : nil,
                    deviceSecretHash: device?.binding.secretHash ?? known))
        }
        let leastExpiry = refresh?.record.expires ?? now + configuration.accessTokenLifetime
        return IssuedTokens(
            response: JSONValue.object(members).serialized(), accessTokenID: access.id, familyID: facts.family,
            family: GrantFamily(
                clientID: client.id, subject: facts.subject, sessionID: facts.sessionID,
                expires: familyExpiry(atLeast: leastExpiry)),
            leastFamilyExpiry: leastExpiry, refresh: refresh.map { (storedDigest($0.token.unmasked), $0.record) },
            device: device.map { (facts.sessionID, $0.binding) })
    }

    /// A family outlives its last token, with half a lifetime in hand: so rotations rarely have to move it.
    private func familyExpiry(atLeast leastExpiry: Timestamp) -> Timestamp {
        leastExpiry + (leastExpiry - now) / 2
    }

    /// A JWT as RFC 9068 has it; `grant_id` names the family, so that revocation counts at once.
    private func accessToken(
        _ facts: GrantFacts, _ client: RegisteredClient, _ scope: ScopeSet, _ key: KeyThumbprint?
    ) throws -> (text: String, id: String) {
        let id = context.randomText(bytes: 16)
        var claims: [String: JSONValue] = [
            "iss": .string(context.issuer.text), "sub": .string(facts.subject.text),
            "aud": .string(context.issuer.text), "client_id": .string(client.id.text), "scope": .string(scope.text),
            "iat": .integer(now.seconds), "exp": .integer((now + configuration.accessTokenLifetime).seconds),
            "jti": .string(id), "auth_time": .integer(facts.authenticatedAt.seconds),
            "grant_id": .string(facts.family),
        ]
        if let key { claims["cnf"] = ["jkt": .string(key.value)] }
        return (try sign(claims, type: AccessToken.type, by: context.keys.es256), id)
    }

    private func refreshToken(
        _ facts: GrantFacts, _ client: RegisteredClient, _ key: KeyThumbprint?
    ) -> (token: Secret<String>, record: CredentialRecord)? {
        guard facts.scope.contains("offline_access"), client.grantTypes.contains(.refreshToken) else { return nil }
        var facts = facts
        // A public client has nothing but its key to prove that a refresh token is its own (RFC 9449 §5).
        if facts.keyThumbprint == nil, client.kind == .public { facts.keyThumbprint = key }
        let binding = RefreshTokenGrant.binding(client: client.id, key: facts.keyThumbprint?.value)
        let record = CredentialRecord(
            facts: facts, binding: binding, expires: now + configuration.refreshTokenLifetime)
        return (Secret(context.randomText()), record)
    }

    /// The device secret of a broker (OpenID Connect Native SSO §3.2), bound to the key it proves.
    private func deviceSecret(
        _ facts: GrantFacts, _ client: RegisteredClient, _ key: KeyThumbprint?
    ) throws -> (secret: Secret<String>, binding: ProviderSession.DeviceBinding)? {
        guard client.isBroker, facts.scope.contains("device_sso"), let key else { return nil }
        let secret = context.randomText()
        let binding = ProviderSession.DeviceBinding(
            clientID: client.id, keyThumbprint: key, secretHash: TokenHash.leftHalf(secret),
            secretDigest: storedDigest(secret))
        return (Secret(secret), binding)
    }

    private func idToken(
        _ facts: GrantFacts, _ client: RegisteredClient, accessToken: String, nonce: Nonce?, deviceSecretHash: String?
    ) throws -> String {
        guard let key = context.keys.signing(client.idTokenAlgorithm) else { throw Fault(.unfitProviderKeys) }
        var claims: [String: JSONValue] = [
            "iss": .string(context.issuer.text), "sub": .string(facts.subject.text), "aud": .string(client.id.text),
            "iat": .integer(now.seconds), "exp": .integer((now + configuration.idTokenLifetime).seconds),
            "auth_time": .integer(facts.authenticatedAt.seconds), "sid": .string(facts.sessionID),
            "acr": .string(Authentication.passwordACR),
            "amr": .array(Authentication.passwordAMR.map { .string($0) }),
            "at_hash": .string(TokenHash.leftHalf(accessToken)),
        ]
        if let nonce { claims["nonce"] = .string(nonce.text) }
        if let deviceSecretHash { claims["ds_hash"] = .string(deviceSecretHash) }
        return try sign(claims, type: IssuedIDToken.type, by: key)
    }

    private func sign(_ claims: [String: JSONValue], type: String, by key: SigningKey) throws -> String {
        try JWS.sign(
            JSONValue.object(claims).serialized(), header: ["typ": .string(type), "kid": .string(key.keyID)], by: key)
    }
}
