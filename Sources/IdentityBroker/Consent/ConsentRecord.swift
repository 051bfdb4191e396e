package import Basics
import Handoff
package import JOSE
package import OpenIDConnect
package import Platform

/// That a person allowed a client to use an account: for this issuer, subject, client, key and exact scope set. Any
/// difference asks again.
package struct ConsentRecord: Codable, Sendable, Hashable {
    package static let table = Table<ConsentRecord>("consent")

    package var issuer: String
    package var subject: String
    package var clientID: ClientID
    package var key: KeyThumbprint
    package var scope: ScopeSet
    package var givenAt: Timestamp

    /// Whether a person allowed exactly this.
    package static func exists(
        _ wanted: ConsentRecord, in records: borrowing some RecordReading & ~Copyable
    ) throws -> Bool {
        try table.find(wanted.id, in: records) != nil
    }

    /// Keeps the consent.
    package func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(id, self, family: clientID.text, in: transaction)
    }

    /// Forgets all that a person allowed a client at an issuer.
    static func forget(
        issuer: String, subject: String, _ client: ClientID, in transaction: borrowing Transaction
    ) throws {
        for (key, record) in try table.list(family: client.text, in: transaction)
        where record.issuer == issuer && record.subject == subject {
            try table.remove(key, in: transaction)
        }
    }

    private var id: String {
        let parts = [issuer, subject, clientID.text, key.value, scope.text]
        let lengths = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return Base64URL.encode(Digest.sha256(Array(lengths.utf8)))
    }
}
