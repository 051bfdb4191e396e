package import Basics
import FoundationEssentials

/// An account as it is stored: what is shown in the clear, the tokens sealed.
struct AccountRecord: Codable, Sendable {
    var issuer: String
    var subject: String
    var username: String
    var displayName: String?
    var email: String?
    var scopes: [String]
    var loggedInAt: Timestamp
    /// The identity provider app that handed it over, if one did.
    var identityProvider: String?
    /// `TokenSet` as sealed JSON; absent once the session has ended.
    var sealedTokens: String?

    var account: UserAccount {
        UserAccount(
            issuer: issuer, subject: subject, username: username, displayName: displayName, email: email,
            scopes: scopes, loggedInAt: loggedInAt)
    }

    static func purpose(_ key: String) -> String { "account \(key)" }
}

/// The tokens of one account.
package struct TokenSet: Codable, Sendable, Equatable {
    package var accessToken: Secret<String>
    /// `DPoP` or `Bearer`.
    package var tokenType: String
    package var expires: Timestamp
    package var refreshToken: Secret<String>?
    package var idToken: Secret<String>?
    package var deviceSecret: Secret<String>?
    package var sessionID: String?
    /// The thumbprint of the app's key that they are bound to; absent for tokens from before keys could change.
    package var keyID: String?

    package init(
        accessToken: Secret<String>, tokenType: String, expires: Timestamp, refreshToken: Secret<String>?,
        idToken: Secret<String>?, deviceSecret: Secret<String>? = nil, sessionID: String? = nil,
        keyID: String? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expires = expires
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.deviceSecret = deviceSecret
        self.sessionID = sessionID
        self.keyID = keyID
    }
}
