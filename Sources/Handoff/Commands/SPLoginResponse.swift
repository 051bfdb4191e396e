package import Basics

/// `authresponse`: the identity provider app hands over a code, and says for whom and from which issuer.
package struct SPLoginResponse: Sendable, Hashable {
    /// The authorization code (`code`), bound to the client's key.
    package var code: Secret<String>
    /// The issuer that made it (`issuer`), compared with the pinned one before anyone is contacted.
    package var issuer: String
    /// The client it is for (`client_id`).
    package var clientID: String
    /// The state of the request (`state`).
    package var state: String
    /// The account (`sub`), compared with the ID token.
    package var subject: String

    package init(code: Secret<String>, issuer: String, clientID: String, state: String, subject: String) {
        self.code = code
        self.issuer = issuer
        self.clientID = clientID
        self.state = state
        self.subject = subject
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        code = Secret(try reader.text("code"))
        issuer = try reader.text("issuer")
        clientID = try reader.text("client_id")
        state = try reader.text("state")
        subject = try reader.text("sub")
    }

    var fields: [String: JSONValue] {
        [
            "code": .string(code.unmasked), "issuer": .string(issuer), "client_id": .string(clientID),
            "state": .string(state), "sub": .string(subject),
        ]
    }
}
