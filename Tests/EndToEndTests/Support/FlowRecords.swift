import Basics
import LinuxPlatform
import Platform

extension LabHome {
    /// The hand-offs in an app's store: how many are under way, and how many have ended.
    ///
    /// Reading them also shows that the store is whole.
    func flows(of program: Program) async throws -> (pending: [JSONValue], finished: [JSONValue]) {
        let isClient = program == .client
        let kind = RecordKind(isClient ? "flow" : "broker.flow")
        let store = try SQLiteStore(path: isClient ? layout.records(of: LabHome.clientID) : layout.records)
        defer { Task { await store.close() } }
        return try store.read { snapshot in
            let pending = try snapshot.list(kind, family: "pending")
            let finished = try snapshot.list(kind, family: "finished")
            return (
                try pending.map { try JSONValue(parsing: $0.value) },
                try finished.map { try JSONValue(parsing: $0.value) }
            )
        }
    }
}
