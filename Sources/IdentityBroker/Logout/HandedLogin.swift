package import Basics
package import Handoff
import IdentityClient
import Platform

/// That an app was given a login of an account through this app: it is among those that a logout of the device reaches.
package struct HandedLogin: Codable, Sendable {
    static let table = Table<HandedLogin>("handed-login")

    package var app: AppID
    package var issuer: String
    package var subject: String
    /// The session at the provider that the login hangs on.
    package var sessionID: String?
    package var handedAt: Timestamp

    static func key(_ app: AppID, issuer: String, subject: String) -> String { "\(app) \(issuer) \(subject)" }

    /// Keeps it; a newer login of the same account takes the older one's place.
    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(
            Self.key(app, issuer: issuer, subject: subject), self, family: app.text, in: transaction)
    }

    /// The logins of an account, by app.
    static func list(
        issuer: String, subject: String, in records: borrowing some RecordReading & ~Copyable
    ) throws -> [HandedLogin] {
        try table.list(in: records).map(\.value).filter {
            sameBytes($0.issuer, issuer) && sameBytes($0.subject, subject)
        }
    }

    /// Forgets it; says whether there was one.
    @discardableResult
    func remove(in transaction: borrowing Transaction) throws -> Bool {
        try Self.table.remove(Self.key(app, issuer: issuer, subject: subject), in: transaction)
    }
}
