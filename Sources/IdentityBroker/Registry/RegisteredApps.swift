import Basics
import Handoff
import Platform
import Synchronization

/// The registered apps with their keys ready for use: a row is read anew each time, and its keys are parsed once for as
/// long as the row stays the same.
final class RegisteredApps: Sendable {
    private struct Known {
        var row: [UInt8]
        var app: RegisteredClientApp
    }

    private let store: any RecordStore
    private let known = Mutex<[AppID: Known]>([:])

    init(store: any RecordStore) { self.store = store }

    /// The app of that id, as its row is now.
    func find(_ id: AppID) throws -> RegisteredClientApp? {
        guard let row = try store.read({ try $0.find(AppRegistry.apps.kind, id.text) })?.value else {
            known.withLock { $0[id] = nil }
            return nil
        }
        if let app = known.withLock({ $0[id].flatMap { $0.row == row ? $0.app : nil } }) { return app }
        guard let app = try store.read({ try AppRegistry.find(id, in: $0) })?.registeredClient() else { return nil }
        known.withLock { $0[id] = Known(row: row, app: app) }
        return app
    }
}
