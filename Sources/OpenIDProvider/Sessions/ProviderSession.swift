package import Basics
package import JOSE
package import OpenIDConnect
import Platform

/// A person who is signed in at the provider, in one browser or through one broker.
package struct ProviderSession: Codable, Sendable {
    /// `sid`: the session's name in ID tokens.
    package var id: String
    package var subject: Subject
    /// When the person last proved who they are.
    package var authenticatedAt: Timestamp
    package var expires: Timestamp
    /// The broker that holds the device secret of this session, and the key it proves.
    package var device: DeviceBinding?

    /// What an ID token alone does not prove (OpenID Connect Native SSO §3.4).
    package struct DeviceBinding: Codable, Sendable {
        package var clientID: ClientID
        package var keyThumbprint: KeyThumbprint
        /// `ds_hash`.
        package var secretHash: String
        /// The device secret as it is stored.
        package var secretDigest: String
    }

    func isAlive(at now: Timestamp) -> Bool { now < expires }
}

/// How a person authenticates here, in the words of ID tokens.
enum Authentication {
    /// `acr`: a password, once.
    static let passwordACR = "urn:countersign:acr:password"
    /// `amr` (RFC 8176).
    static let passwordAMR = ["pwd"]
}

extension ProviderSession {
    /// Starts a session for someone who has just signed in.
    static func start(_ subject: Subject, _ context: ProviderContext) -> ProviderSession {
        let now = context.now
        return ProviderSession(
            id: context.randomText(bytes: 16), subject: subject, authenticatedAt: now,
            expires: now + context.configuration.sessionLifetime)
    }

    /// Writes the session.
    func put(in transaction: borrowing Transaction) throws {
        try ProviderTables.sessions.put(id, self, family: subject.text, expires: expires, in: transaction)
    }

    /// The session of that id with its user, where both are still there.
    static func alive(_ id: String, _ context: ProviderContext) throws -> (ProviderSession, RegisteredUser)? {
        let now = context.now
        return try context.store.read { records in
            guard let session = try ProviderTables.sessions.find(id, in: records), session.isAlive(at: now),
                let user = try ProviderRegistry.user(session.subject, in: records)
            else { return nil }
            return (session, user)
        }
    }
}
