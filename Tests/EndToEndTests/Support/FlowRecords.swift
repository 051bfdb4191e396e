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
            func list(_ family: String) throws -> [JSONValue] {
                try snapshot.list(kind, family: family).map { try JSONValue(parsing: $0.value) }
            }
            return (try list("pending"), try list("finished"))
        }
    }
}
