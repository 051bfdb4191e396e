package import Basics

/// What the token endpoint answers (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
package struct TokenResponse: Sendable, Equatable {
    /// How an access token is presented (`token_type`).
    package enum TokenType: String, Sendable, CaseIterable {
        /// With a proof of its key (RFC 9449 §7.1).
        case dpop = "DPoP"
        /// By itself (RFC 6750).
        case bearer = "Bearer"
    }

    /// `access_token`.
    package var accessToken: Secret<String>
    /// `token_type`.
    package var tokenType: TokenType
    /// `expires_in`, in seconds.
    package var expiresIn: Int?
    /// `refresh_token`.
    package var refreshToken: Secret<String>?
    /// `id_token`: unverified, for an `IDTokenVerifier`.
    package var idToken: String?
    /// `scope`; nil where it is the one that was asked for.
    package var scope: ScopeSet?
    /// `device_secret` (OpenID Connect Native SSO §3.2).
    package var deviceSecret: Secret<String>?

    package init(
        accessToken: Secret<String>, tokenType: TokenType, expiresIn: Int? = nil, refreshToken: Secret<String>? = nil,
        idToken: String? = nil, scope: ScopeSet? = nil, deviceSecret: Secret<String>? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scope = scope
        self.deviceSecret = deviceSecret
    }

    /// Reads an answer.
    ///
    /// Unknown members are ignored.
    ///
    /// - Throws: `invalid-token-response`, also for a token type that this client cannot present.
    package init(json: JSONValue) throws(Fault) {
        func text(_ name: String) throws(Fault) -> String? {
            guard let value = json[name], value != .null else { return nil }
            guard let text = value.stringValue, text.isVisibleASCII(atMost: 16_384) else {
                throw TokenResponse.malformed(name)
            }
            return text
        }
        guard let accessToken = try text("access_token") else { throw TokenResponse.malformed("access_token") }
        self.accessToken = Secret(accessToken)
        // RFC 6749 §7.1: the type is the same whatever its case.
        let type = try text("token_type")?.lowercased()
        guard let type = TokenType.allCases.first(where: { $0.rawValue.lowercased() == type }) else {
            throw TokenResponse.malformed("token_type")
        }
        tokenType = type
        if let value = json["expires_in"], value != .null {
            guard let seconds = value.integerValue, (0...Int64(Int32.max)).contains(seconds) else {
                throw TokenResponse.malformed("expires_in")
            }
            expiresIn = Int(seconds)
        }
        refreshToken = try text("refresh_token").map { Secret($0) }
        idToken = try text("id_token")
        if let value = json["scope"], value != .null {
            guard let text = value.stringValue else { throw TokenResponse.malformed("scope") }
            scope = try ScopeSet(text)
        }
        deviceSecret = try text("device_secret").map { Secret($0) }
    }

    /// The answer as the token endpoint writes it.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "access_token": .string(accessToken.unmasked), "token_type": .string(tokenType.rawValue),
        ]
        members["expires_in"] = expiresIn.map { .integer(Int64($0)) }
        members["refresh_token"] = refreshToken.map { .string($0.unmasked) }
        members["id_token"] = idToken.map(JSONValue.string)
        members["scope"] = scope.map { .string($0.text) }
        members["device_secret"] = deviceSecret.map { .string($0.unmasked) }
        return .object(members)
    }

    private static func malformed(_ name: String) -> Fault {
        Fault(.invalidTokenResponse, "The token response's \(name) is missing or has the wrong form (RFC 6749 §5.1).")
    }
}

/// Shown without any token in it: an ID token may be replayed too.
extension TokenResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "TokenResponse(\(tokenType.rawValue), scope: \(scope?.text ?? "as asked"))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
