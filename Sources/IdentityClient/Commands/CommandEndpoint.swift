import Basics
package import Handoff
import JOSE
package import Platform

/// An app's place on the bus for URL commands: it seals and sends, verifies and classifies what arrives, and knows
/// which peers are present. Both roles use it; it decides nothing about flows.
package actor CommandEndpoint {
    /// A peer as the endpoint needs it: pinned keys, and how its commands may arrive.
    package struct Registered: Sendable {
        package var peer: Peer
        package var directOnly: Bool
        /// The executable its process must have, where it is known.
        package var executable: String?

        package init(peer: Peer, directOnly: Bool = false, executable: String? = nil) {
            self.peer = peer
            self.directOnly = directOnly
            self.executable = executable
        }
    }

    let id: AppID
    let surroundings: Surroundings
    let role: AppRole
    let keys: AppKeyring
    let rules: VerificationRules
    let registry: @Sendable (AppID) throws -> Registered?
    private var registration: (any BusRegistration)?
    var presence = Presence()
    var throttle = FailureThrottle()
    var settingUp: SettingUp
    /// What a peer that has come back is told before its `ping` is answered, at its connection.
    private(set) var beforePong: @Sendable (AppID, String) async -> Void = { _, _ in }

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - keys: the app's own keys; read anew for each command.
    ///   - isSetUp: whether commands are taken at once, and not only after `finishSettingUp`.
    ///   - registry: the registered app of that id; read anew for each command.
    package init(
        id: AppID, role: AppRole, keys: AppKeyring, surroundings: Surroundings, rules: VerificationRules = .standard,
        isSetUp: Bool = true, registry: @escaping @Sendable (AppID) throws -> Registered?
    ) {
        self.id = id
        self.surroundings = surroundings
        self.role = role
        self.keys = keys
        self.rules = rules
        self.registry = registry
        settingUp = SettingUp(isFinished: isSetUp)
    }

    /// Owns the app's name on the bus, and hands everything that arrives to `receive`.
    package func register(_ receive: @escaping @Sendable (Delivery) async -> Void) async throws {
        registration = try await surroundings.bus.register(id.text, receive: receive)
    }

    /// Has the commands taken that arrived so far, and all later ones at once.
    package func finishSettingUp() { settingUp.finish() }

    /// Sets what a peer that has come back is told before its `ping` is answered.
    package func setBeforePong(_ tell: @escaping @Sendable (AppID, String) async -> Void) { beforePong = tell }

    /// Whether this process owns the app's name.
    package var isRegistered: Bool { registration != nil }

    /// The unique name of the connection that owns the app's name, where this process does.
    package var uniqueName: String? { registration?.uniqueName }

    /// Gives the name back.
    package func withdraw() async {
        await registration?.withdraw()
        registration = nil
        settingUp.end()
        presence.end()
    }

    /// What the log has of commands.
    nonisolated var log: CommandLog { CommandLog(surroundings.journal) }
}
