import Basics
import Synchronization

/// A secret group in memory: its members and what they leave for each other.
package final class InMemorySecretGroup: Sendable {
    private struct State {
        var members: Set<String>
        var items: [String: SharedSecret] = [:]
    }

    private let state: Mutex<State>

    /// Makes a group of those apps.
    package init(members: Set<String>) { state = Mutex(State(members: members)) }

    /// The group as that app sees it, member or not.
    package func store(for app: String) -> any SharedSecretStore { InMemorySharedSecretStore(group: self, app: app) }

    /// Takes an app out of the group; what was left for it is dropped.
    package func removeMember(_ app: String) {
        state.withLock { state in
            state.members.remove(app)
            state.items = state.items.filter { $0.value.owner != app }
        }
    }

    fileprivate func put(_ item: SharedSecret, by app: String) throws {
        try state.withLock { state in
            for name in [app, item.owner] where !state.members.contains(name) {
                throw Fault(.notGroupMember, detail: name)
            }
            state.items[item.name] = item
        }
    }

    fileprivate func take(_ name: String, by app: String, now: Timestamp) throws -> SharedSecret? {
        try state.withLock { state in
            guard state.members.contains(app) else { throw Fault(.notGroupMember, detail: app) }
            guard let item = state.items.removeValue(forKey: name), now < item.expires else { return nil }
            return item
        }
    }
}

/// One app's way to an `InMemorySecretGroup`.
private struct InMemorySharedSecretStore: SharedSecretStore {
    let group: InMemorySecretGroup
    let app: String

    func put(_ item: SharedSecret) async throws {
        await Task.yield()
        try group.put(item, by: app)
        await Task.yield()
    }

    func take(_ name: String, now: Timestamp) async throws -> SharedSecret? {
        await Task.yield()
        let item = try group.take(name, by: app, now: now)
        await Task.yield()
        return item
    }
}
