import Basics

/// `idpinit`: an invitation to switch to, or log in, a user (OpenID Connect Core §4, third-party-initiated login).
package struct IDPLoginRequest: Sendable, Hashable {
    /// Whom to switch to or log in (`user_hint`).
    package var userHint: UserHint
    /// What to open once the account is current (`start_url`): https on a registered host, or the app's own scheme.
    package var startURL: String?

    package init(userHint: UserHint, startURL: String? = nil) {
        self.userHint = userHint
        self.startURL = startURL
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        guard let hint = reader.optional("user_hint") else {
            throw Fault(.commandMeaning, detail: "user_hint is missing")
        }
        userHint = try UserHint(hint)
        startURL = try reader.optionalText("start_url")
    }

    var fields: [String: JSONValue] {
        var fields = ["user_hint": userHint.json]
        fields["start_url"] = startURL.map(JSONValue.string)
        return fields
    }
}
