package import Basics

/// Whom a command means: an account by issuer and subject, or a user name. Two named fields, never a joined string.
package enum UserHint: Hashable, Sendable, Codable {
    case account(issuer: String, subject: String)
    case username(String)

    /// Reads the wire object `user_hint`: `iss` and `sub`, or `username`, and nothing else.
    package init(_ value: JSONValue) throws(Fault) {
        guard let members = value.objectValue else { throw Fault(.commandMeaning, detail: "user_hint is no object") }
        if members.count == 2, let issuer = members["iss"]?.stringValue, let subject = members["sub"]?.stringValue,
            !issuer.isEmpty, !subject.isEmpty
        {
            self = .account(issuer: issuer, subject: subject)
        } else if members.count == 1, let name = members["username"]?.stringValue, !name.isEmpty {
            self = .username(name)
        } else {
            throw Fault(.commandMeaning, detail: "user_hint has neither iss and sub nor username")
        }
    }

    /// The wire object.
    package var json: JSONValue {
        switch self {
        case .account(let issuer, let subject): ["iss": .string(issuer), "sub": .string(subject)]
        case .username(let name): ["username": .string(name)]
        }
    }
}
