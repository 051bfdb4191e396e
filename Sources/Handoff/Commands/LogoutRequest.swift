package import Basics

/// `logout`: end a login. From the identity provider app it is told; from a client it is asked for.
package struct LogoutRequest: Sendable, Hashable {
    /// How far it goes.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        /// The one app's own login.
        case app
        /// The login in every app of this device.
        case device
        /// Every session that the person has at the provider, on whatever device.
        case everywhere
    }

    /// Who vouches for the account (`issuer`). The receiver compares it with the one pinned for the sender.
    package var issuer: String
    /// The account (`sub`).
    package var subject: String
    /// The session at the provider that ends (`sid`), as ID tokens name it; without it, whatever session.
    package var sessionID: String?
    /// How far it goes (`scope`).
    package var scope: Scope
    /// The provider's own word for it (`logout_token`, OpenID Connect Back-Channel Logout §2.4), for *everywhere*.
    package var logoutToken: Secret<String>?

    package init(
        issuer: String, subject: String, sessionID: String?, scope: Scope, logoutToken: Secret<String>? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
        self.scope = scope
        self.logoutToken = logoutToken
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        issuer = try reader.text("issuer")
        subject = try reader.text("sub")
        sessionID = try reader.optionalText("sid")
        guard let scope = Scope(rawValue: try reader.text("scope")) else {
            throw Fault(.commandMeaning, detail: "scope is not on the list")
        }
        self.scope = scope
        logoutToken = try reader.optionalText("logout_token").map { Secret($0) }
        guard logoutToken == nil || scope == .everywhere else {
            throw Fault(.commandMeaning, detail: "logout_token belongs to everywhere")
        }
    }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "issuer": .string(issuer), "sub": .string(subject), "scope": .string(scope.rawValue),
        ]
        fields["sid"] = sessionID.map(JSONValue.string)
        fields["logout_token"] = logoutToken.map { .string($0.unmasked) }
        return fields
    }
}
