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

    /// Writes the record, and ends what was taken back before.
    func put(in transaction: borrowing Transaction) throws {
        try ProviderTables.consents.put(key, self, family: subject.text, in: transaction)
        try ProviderTables.withdrawals.remove(Self.withdrawalKey(subject, clientID), in: transaction)
    }

    /// Takes back all that a person allowed a client; says whether there was any.
    ///
    /// That it was taken back is kept as well: a broker has a record of its own, and learns of it at its next call.
    static func withdraw(_ subject: Subject, _ client: ClientID, in transaction: borrowing Transaction) throws -> Bool {
        var found = false
        for (key, consent) in try ProviderTables.consents.list(family: subject.text, in: transaction)
        where consent.clientID == client {
            try ProviderTables.consents.remove(key, in: transaction)
            found = true
        }
        try ProviderTables.withdrawals.put(
            withdrawalKey(subject, client), client, family: subject.text, in: transaction)
        return found
    }

    /// Whether the person took their consent back and has not given it since.
    func isWithdrawn(in records: borrowing some RecordReading & ~Copyable) throws -> Bool {
        try ProviderTables.withdrawals.find(Self.withdrawalKey(subject, clientID), in: records) != nil
    }

    private static func withdrawalKey(_ subject: Subject, _ client: ClientID) -> String {
        combinedDigest([subject.text, client.text])
    }
}
