public import Basics

/// A user of this app: an issuer and a subject, never a name.
public struct UserAccount: Sendable, Hashable {
    /// The issuer that vouches for the account.
    public let issuer: String
    /// The subject at that issuer, stable for ever.
    public let subject: String
    /// The name to show: the provider's `preferred_username`, else the subject.
    public let username: String
    /// The person's name (`name`), where the provider told it.
    public let displayName: String?
    /// The e-mail address (`email`), where the provider told it.
    public let email: String?
    /// What the provider granted, as scope names.
    public let scopes: [String]
    /// When the login happened here.
    public let loggedInAt: Timestamp

    package init(
        issuer: String, subject: String, username: String, displayName: String?, email: String?, scopes: [String],
        loggedInAt: Timestamp
    ) {
        self.issuer = issuer
        self.subject = subject
        self.username = username
        self.displayName = displayName
        self.email = email
        self.scopes = scopes
        self.loggedInAt = loggedInAt
    }

    /// The key of the account: issuer and subject.
    package var key: String { "\(issuer) \(subject)" }
}
