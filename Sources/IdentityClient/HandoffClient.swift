import Basics
package import Handoff
import JOSE
import OpenIDConnect
public import Platform

/// The SDK's entrance: one app that logs its users in by hand-off, and keeps their accounts.
///
/// Make it from the surroundings of a home, `start()` it to be reachable, and `stop()` it at the end. Every login ends
/// in exactly one result.
public actor HandoffClient {
    /// The app's accounts and their tokens.
    public nonisolated let accounts: UserAccountManager
    /// Makes the app's own login-flow selection view; without one the dialogue asks.
    public var idpLoginFlowSelectionAction: LoginFlowSelectionAction?

    let surroundings: Surroundings
    let keys: AppKeys
    let sealer: RecordSealer
    let endpoint: CommandEndpoint
    let keyring: AppKeyring
    let pins: PinnedIdentityProviders
    let ledger = ReplayLedger()
    /// Those in this process that wait for a flow to end.
    var waiters: [FlowID: Promise<ClientFlow.Outcome>] = [:]
    /// Takes the question about an invitation back, by flow.
    var stopDeciding: [FlowID: @Sendable () -> Void] = [:]
    /// The flows that wait for an answer, by the connection of the peer that has their request.
    var sentTo: [String: Set<FlowID>] = [:]
    /// Asks what happened while the app was away, once in the life of this process.
    var arriving: Task<Void, any Error>?
    /// Says what the person has to do by hand.
    var announce: @Sendable (ManualOpening) -> Void = { _ in }

    /// Makes the client of the app that the surroundings are for.
    ///
    /// - Throws: `app-not-enrolled` when the app has no keys in this home.
    public init(surroundings: Surroundings) async throws {
        try await self.init(surroundings: surroundings, dangerouslyWith: .standard)
    }

    /// Makes a client with other rules: for the lab's weakened peers alone, never for an app.
    package init(surroundings: Surroundings, dangerouslyWith rules: VerificationRules) async throws {
        self.surroundings = surroundings
        let manifest = surroundings.manifest
        keys = try await AppKeys.load(from: surroundings.secrets)
        sealer = RecordSealer(key: keys.atRest)
        let keyring = AppKeyring(secrets: surroundings.secrets)
        self.keyring = keyring
        let pins = PinnedIdentityProviders(surroundings)
        self.pins = pins
        let isDirectOnly = manifest.delivery == .direct
        endpoint = CommandEndpoint(
            id: try AppID(manifest.id), role: .client, keys: keyring, surroundings: surroundings, rules: rules,
            isSetUp: false,
            registry: { id in
                try pins.current().first { $0.peer.id == id }.map { .init(peer: $0.peer, directOnly: isDirectOnly) }
            })
        accounts = UserAccountManager(
            surroundings: surroundings, store: AccountStore(sealer: sealer),
            providers: ProviderConnections(entries: try pins.current(), keyring: keyring, surroundings: surroundings))
        await accounts.setArrival { [weak self] in await self?.arrive() }
    }

    /// Sets the app's own login-flow selection view.
    public func setLoginFlowSelection(_ action: LoginFlowSelectionAction?) { idpLoginFlowSelectionAction = action }

    /// Sets what is told where a person must open an address, or bring an answer back, by hand.
    public func setAnnouncement(_ announce: @escaping @Sendable (ManualOpening) -> Void) { self.announce = announce }

    /// Owns the app's name on the bus and takes up what an earlier process left unfinished.
    ///
    /// - Throws: `bus-name-taken` when another process already is this app.
    public func start() async throws {
        do {
            if await !endpoint.isRegistered {
                try await register()
                // What another process of this app has asked, this one asks for itself.
                arriving = nil
            }
            try await resumeFlows()
        } catch {
            // Beside the process that is the app, this one takes what it is given.
            await endpoint.finishSettingUp()
            throw error
        }
        await endpoint.finishSettingUp()
        surroundings.environment.spawn("arrive") { [self] in
            await arrive()
            await accounts.settleRevocations()
        }
    }

    /// Leaves the bus; what was spawned is cancelled and awaited.
    public func stop() async {
        await endpoint.withdraw()
        await surroundings.environment.stop()
    }

    func receive(_ delivery: Delivery) async {
        switch delivery.content {
        case .open(let url):
            do {
                _ = try await handle(url, sender: delivery.sender)
            } catch {
                // Told already: in the journal, and to whoever waits for the flow.
            }
        case .action(name: "send-login", parameter: let flow?):
            // Another process of this app has prepared a command and asks the one that owns the name to send it.
            guard let own = surroundings.ownUserID, delivery.sender?.userID == own else { return }
            await sendPrepared(flow)
        case .action(name: "send-logout", parameter: let flow?):
            guard let own = surroundings.ownUserID, delivery.sender?.userID == own else { return }
            await sendLogout(flow)
        case .activate, .action:
            break
        }
    }

    /// The identity provider apps as the manifest pins them now.
    nonisolated var identityProviders: [IdentityProviderEntry] { get throws { try pins.current() } }

    func journal(_ kind: JournalEntry.Kind, _ flow: FlowID?, _ message: String, code: ErrorCode? = nil) {
        surroundings.journal.record(JournalEntry(kind, flow: flow?.text, message, code: code))
    }
}
