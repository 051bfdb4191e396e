import Basics
import LinuxPlatform
import Platform
import Synchronization

/// The bus of a real device in the hands of the stage: it is there as long as the stage, whatever the apps do, and
/// everything that is opened on it is seen.
final class DeviceBus: Sendable {
    /// What was opened to see how far the monitor has come.
    private final class Marks: Sendable {
        private let awaited = Mutex<[String: Promise<Void>]>([:])

        func await(_ mark: String) -> Promise<Void> {
            let promise = Promise<Void>()
            awaited.withLock { $0[mark] = promise }
            return promise
        }

        /// Whether the URL was one.
        func take(_ url: String) -> Bool {
            awaited.withLock { $0.removeValue(forKey: url) }?.fulfil() ?? false
        }
    }

    private let membership: HomeBus
    private let loop: EventLoop
    private let monitor: BusMonitor
    private let marks: Marks

    private init(membership: HomeBus, loop: EventLoop, monitor: BusMonitor, marks: Marks) {
        self.membership = membership
        self.loop = loop
        self.monitor = monitor
        self.marks = marks
    }

    /// Starts the private bus of a home.
    ///
    /// - Parameters:
    ///   - keeper: how to start a program that keeps a bus.
    ///   - saw: takes each URL that is opened.
    static func join(
        home: String, keeper: [String], variables: [String: String], loop: EventLoop,
        saw: @escaping @Sendable (String) -> Void
    ) async throws -> DeviceBus {
        let membership = try await HomeBus.join(
            home: home, isDefaultHome: false, selection: .private, variables: variables, keeper: keeper)
        let marks = Marks()
        do {
            let monitor = try await BusMonitor.connect(address: membership.address, loop: loop) { url in
                if !marks.take(url) { saw(url) }
            }
            return DeviceBus(membership: membership, loop: loop, monitor: monitor, marks: marks)
        } catch {
            await membership.leave()
            throw error
        }
    }

    /// Opens a URL at an app, from a connection that is made for it.
    ///
    /// - Throws: `peer-not-running` where the app is not there.
    func send(_ url: String, to app: String) async throws {
        try await DBusCommandBus.connect(address: membership.address, loop: loop).openAndLeave(url, at: app)
    }

    /// Returns when everything has been seen that was opened before.
    ///
    /// - Throws: `stage-failed` where the bus does not show it.
    func catchUp(_ environment: Environment) async throws {
        let mark = "countersign-stage:\(environment.uuid())"
        let seen = marks.await(mark)
        // The daemon shows a call before it finds that nobody is there to take it.
        do { try await send(mark, to: "org.countersign.nobody") } catch ErrorCode.peerNotRunning {}
        let fault = Fault(.stageFailed, "The bus does not show what is opened on it.")
        try await environment.withDeadline(.seconds(30), orThrow: fault) { try await seen.value() }
    }

    /// Leaves the bus; the last one there ends it.
    func leave() async {
        await monitor.stop()
        await membership.leave()
    }
}
