package import Basics
package import OpenIDConnect

/// One person who can sign in here.
package struct RegisteredUser: Codable, Sendable {
    /// Who it is to clients: random, and the same for ever.
    package var subject: Subject
    /// What the person types.
    package var username: String
    /// The text form of a `PasswordHash`.
    package var passwordHash: String
    /// When the row was first written.
    package var createdAt: Timestamp

    private var claimText: JSONText

    /// Claims about the person, such as `name`, `email` and `email_verified`.
    package var claims: [String: JSONValue] {
        get { claimText.value.objectValue ?? [:] }
        set { claimText = JSONText(.object(newValue)) }
    }

    package init(
        subject: Subject, username: String, passwordHash: String, claims: [String: JSONValue] = [:],
        createdAt: Timestamp
    ) {
        self.subject = subject
        self.username = username
        self.passwordHash = passwordHash
        self.createdAt = createdAt
        claimText = JSONText(.object(claims))
    }

    /// What pages call the person.
    var label: String { claims["email"]?.stringValue ?? claims["name"]?.stringValue ?? username }
}
