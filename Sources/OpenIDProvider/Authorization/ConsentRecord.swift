package import Basics
package import JOSE
package import OpenIDConnect
import Platform

/// What a person allowed one client: for this issuer, subject, client, key and exact scope set, and for nothing else.
package struct ConsentRecord: Codable, Sendable {
    package var issuer: Issuer
    package var subject: Subject
    package var clientID: ClientID
    /// The key that was shown to the person, where the client has one.
    package var keyThumbprint: KeyThumbprint?
    package var scope: ScopeSet
    package var grantedAt: Timestamp
    /// The broker at which it was given; nothing for the provider's own page.
    package var through: ClientID?

    /// What it is found by.
    ///
    /// Any difference is another consent.
    var key: String {
        combinedDigest([issuer.text, subject.text, clientID.text, keyThumbprint?.value ?? "-", scope.text])
    }

    /// Writes the record.
    func put(in transaction: borrowing Transaction) throws {
        try ProviderTables.consents.put(key, self, family: subject.text, in: transaction)
    }
}
