/// What the bus daemon tells about a sender. It can only refuse, never grant: the signature decides.
package struct PeerEvidence: Sendable, Hashable {
    /// The sender's unique name on the bus, never reused in the daemon's life.
    package var uniqueName: String
    /// The user id of the sender's process.
    package var userID: UInt32?
    /// The process id at the time of the question.
    package var processID: Int32?
    /// The path of the process's executable at the time of the question.
    package var executable: String?

    package init(uniqueName: String, userID: UInt32? = nil, processID: Int32? = nil, executable: String? = nil) {
        self.uniqueName = uniqueName
        self.userID = userID
        self.processID = processID
        self.executable = executable
    }
}

/// How a command was carried (docs/handoff-protocol.md).
package enum Transport: String, Sendable, Codable, CaseIterable {
    /// From the bus name that is registered for the sender.
    case direct
    /// From anything else of the same user: a browser, `gio open`, an argument, a paste.
    case opener
}

/// What arrived at an app's object.
package struct Delivery: Sendable {
    /// The members of `org.freedesktop.Application`.
    package enum Content: Sendable, Equatable {
        /// `Open`, once for each URL.
        case open(url: String)
        /// `Activate`.
        case activate
        /// `ActivateAction`, with its parameter where that is a string.
        case action(name: String, parameter: String?)
    }

    package var content: Content
    /// Who sent it, as the daemon tells; `nil` when it did not come over the bus.
    package var sender: PeerEvidence?

    package init(_ content: Content, sender: PeerEvidence?) {
        self.content = content
        self.sender = sender
    }
}

/// The carrier of URL commands: each app owns a name, and opens URLs at other names.
///
/// Every conformance passes `CommandBusConformance`.
package protocol CommandBus: Sendable {
    /// Owns `name`, exports the application object there, and hands each delivery to `receive`, each in a task of its
    /// own. The sender gets its empty answer at once, the same whatever was sent.
    ///
    /// - Throws: `bus-name-taken` when another connection owns it, `bus-unavailable` without a bus.
    func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration

    /// Opens a URL at a name, well-known or unique; returns when the receiver has taken it.
    ///
    /// - Parameter startIfNeeded: whether the bus may start the app that the name is installed for.
    /// - Throws: `peer-not-running` when nobody owns the name and nothing may or can start its app, `peer-not-started`
    ///   when the bus tried to in vain, `bus-unavailable` when the bus has gone.
    func open(_ url: String, at name: String, startIfNeeded: Bool) async throws

    /// Calls `ActivateAction` at a name; returns when the receiver has taken it.
    func activate(_ action: String, parameter: String?, at name: String) async throws

    /// The unique name that owns `name` now; nothing is started.
    func owner(of name: String) async throws -> String?

    /// What the daemon tells about a connection; `nil` when it has left.
    func evidence(of uniqueName: String) async throws -> PeerEvidence?

    /// Returns when that connection has left the bus; throws `CancellationError` when cancelled before.
    func departure(of uniqueName: String) async throws

    /// Sends what is queued and leaves the bus.
    func stop() async
}

extension CommandBus {
    /// Opens a URL at the app that owns the name now, and leaves the bus whatever comes of it.
    ///
    /// - Throws: as `open`.
    package func openAndLeave(_ url: String, at name: String) async throws {
        do {
            try await open(url, at: name, startIfNeeded: false)
        } catch {
            await stop()
            throw error
        }
        await stop()
    }
}

/// A name that this connection owns.
package protocol BusRegistration: Sendable {
    /// The connection's unique name.
    var uniqueName: String { get }
    /// Gives the name back; deliveries end.
    func withdraw() async
}
