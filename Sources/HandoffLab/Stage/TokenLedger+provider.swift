import Basics
import OpenIDProvider
import Platform

extension TokenLedger {
    /// Reads what a provider has recorded: its journal says how often it issued, its rows what it took.
    ///
    /// - Parameter entries: the kinds, messages and codes of its journal.
    init(entries: [(kind: String, message: String, code: String?)], store: any RecordStore) throws {
        issued = entries.count { $0.kind == JournalEntry.Kind.decided.rawValue && $0.message == "Tokens were issued." }
        reused = entries.count { $0.code == ErrorCode.credentialReused.name }
        // Every credential that is taken leaves a tombstone.
        taken = try store.read { Set(try $0.list(RecordKind("tombstone"), family: nil).map(\.key)) }
    }
}
