package import Platform
import Synchronization

/// Surroundings that are open now, with what it takes to close them.
package final class OpenSurroundings: Sendable {
    package let surroundings: Surroundings
    package let home: Home
    /// The loop that the app's tasks and bus run on.
    package let loop: EventLoop
    /// The app's bus, with its address.
    package let bus: HomeCommandBus
    /// The app's secrets.
    package let secrets: FileSecretStore

    private let store: SQLiteStore
    private let http: CurlHTTPClient
    private let ownsLoop: Bool
    private let groups: Mutex<[String: HomeSecretGroup]>
    private let isClosed = Mutex(false)

    init(
        _ surroundings: Surroundings, home: Home, loop: EventLoop, ownsLoop: Bool, bus: HomeCommandBus,
        store: SQLiteStore, secrets: FileSecretStore, http: CurlHTTPClient, groups: [String: HomeSecretGroup]
    ) {
        self.surroundings = surroundings
        self.home = home
        self.loop = loop
        self.ownsLoop = ownsLoop
        self.bus = bus
        self.store = store
        self.secrets = secrets
        self.http = http
        self.groups = Mutex(groups)
    }

    /// The secret group of that name, for an app that meets it while it runs.
    ///
    /// - Throws: `group-name-refused`.
    package func group(_ name: String) throws -> any SharedSecretStore {
        try groups.withLock { groups in
            if let known = groups[name] { return known }
            let group = try HomeSecretGroup(
                name, in: home, manifest: surroundings.manifest, secrets: secrets, now: surroundings.environment.now)
            groups[name] = group
            return group
        }
    }

    /// Ends what the app spawned, then leaves the bus (the last party ends a private one), then closes all files.
    package func close() async {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        await surroundings.environment.stop()
        await bus.stop()
        http.stop()
        for group in groups.withLock({ $0 }).values { await group.close() }
        await secrets.close()
        await store.close()
        if ownsLoop { loop.stop() }
    }
}
