import Basics
import LinuxPlatform
import Platform

extension LabHome {
    /// The hand-offs in an app's store, by their ids: those under way, and those that have ended.
    ///
    /// Reading them also shows that the store is whole.
    func flows(of program: Program) async throws -> (pending: Set<String>, finished: Set<String>) {
        let isClient = program == .client
        let kind = RecordKind(isClient ? "flow" : "broker.flow")
        let store = try SQLiteStore(path: isClient ? layout.records(of: LabHome.clientID) : layout.records)
        let (pending, finished) = try store.read { snapshot in
            (
                try snapshot.list(kind, family: "pending").map(\.key),
                try snapshot.list(kind, family: "finished").map(\.key)
            )
        }
        await store.close()
        return (Set(pending), Set(finished))
    }
}
