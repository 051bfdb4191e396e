package import Basics

/// `idpauthcodeinit`: the keychain variant. The verifier waits in the group's store and is found by the flow alone;
/// no name of a store or a slot travels.
package struct IDPAuthCodeLoginRequest: Sendable, Hashable {
    /// The authorization code (`code`).
    package var code: Secret<String>
    /// The issuer that made it (`issuer`).
    package var issuer: String
    /// The client it is for (`client_id`).
    package var clientID: String
    /// The account (`sub`).
    package var subject: String
    /// What to open once the account is current (`start_url`).
    package var startURL: String?

    package init(
        code: Secret<String>, issuer: String, clientID: String, subject: String, startURL: String? = nil
    ) {
        self.code = code
        self.issuer = issuer
        self.clientID = clientID
        self.subject = subject
        self.startURL = startURL
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        code = Secret(try reader.text("code"))
        issuer = try reader.text("issuer")
        clientID = try reader.text("client_id")
        subject = try reader.text("sub")
        startURL = try reader.optionalText("start_url")
    }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "code": .string(code.unmasked), "issuer": .string(issuer), "client_id": .string(clientID),
            "sub": .string(subject),
        ]
        fields["start_url"] = startURL.map(JSONValue.string)
        return fields
    }
}
