import Basics
package import Handoff
package import IdentityClient
import JOSE
package import OpenIDConnect
package import Platform

/// The identity provider app: it signs a person in once, and hands each client app a code of its own.
///
/// It answers requests, and begins hand-offs of its own. Its flows are pure state machines in `Handoff`; this actor
/// stores each transition before its effect is visible, and asks the person where a rule says so.
package actor HandoffBroker {
    /// The accounts that are signed in here, with this app's own tokens.
    package nonisolated let accounts: UserAccountManager

    let surroundings: Surroundings
    let issuer: Issuer
    let keys: AppKeys
    let sealer: RecordSealer
    let apps: RegisteredApps
    let endpoint: CommandEndpoint
    let provider: ProviderConnection
    let passwordLogin: PasswordLogin
    let ledger = ReplayLedger()
    var gate = PromptGate()
    /// Whether classic clients are heard at all: plain URLs in a scheme of their own.
    let allowsClassic: Bool
    /// Whether a classic request is being decided: there is one at a time.
    var isClassicUnderWay = false
    /// The decisions under way, by flow, so that a cancelled flow takes its question back.
    var decisions: [FlowID: Task<Void, any Error>] = [:]
    /// Watches the keys of those who wait for a decision.
    var keyWatch: Task<Void, any Error>?
    /// Those in this process that wait for a flow to end.
    var waiters: [FlowID: Promise<BrokerFlow.Outcome>] = [:]

    /// Who is being told of logouts just now.
    var telling: [AppID: Task<Void, any Error>] = [:]
    /// The logouts that clients asked for and the person is asked about, by flow.
    var asked: [FlowID: AskedLogout] = [:]

    static let flowsPerPeer = 16
    static let flowsInAll = 64
    /// The scopes of this app's own login.
    package static let ownScopes = "openid profile email offline_access device_sso"

    /// Makes the broker of a home.
    ///
    /// - Parameters:
    ///   - surroundings: the identity provider app's own; its store holds the app registry.
    ///   - issuer: the provider that it signs people in at.
    ///   - clientID: its own client id there.
    ///   - allowsClassic: whether classic clients are heard; nothing of theirs can be told from a forgery.
    /// - Throws: `app-not-enrolled` when it has no keys in this home.
    package init(
        surroundings: Surroundings, issuer: Issuer, clientID: ClientID, rules: VerificationRules = .standard,
        allowsClassic: Bool = false
    ) async throws {
        self.surroundings = surroundings
        self.allowsClassic = allowsClassic
        self.issuer = issuer
        keys = try await AppKeys.load(from: surroundings.secrets)
        sealer = RecordSealer(key: keys.atRest)
        let apps = RegisteredApps(store: surroundings.store)
        self.apps = apps
        endpoint = CommandEndpoint(
            id: try AppID(surroundings.manifest.id), role: .identityProvider,
            keys: AppKeyring(secrets: surroundings.secrets), surroundings: surroundings,
            rules: rules, isSetUp: false,
            registry: { id in
                guard let app = try apps.find(id) else { return nil }
                return .init(
                    peer: app.peer, directOnly: app.entry.delivery == .direct, executable: app.entry.executable)
            })
        provider = ProviderConnection(
            issuer: issuer, clientID: clientID, key: keys.oauth, authentication: .assertion, http: surroundings.http,
            environment: surroundings.environment, journal: surroundings.journal)
        accounts = UserAccountManager(
            surroundings: surroundings, store: AccountStore(sealer: sealer),
            providers: ProviderConnections(provider))
        guard let redirect = surroundings.manifest.redirectURIs.first else { throw Fault(.appNotEnrolled) }
        passwordLogin = PasswordLogin(
            provider: provider, surroundings: surroundings, redirectURI: try RedirectURI(redirect),
            scope: try ScopeSet(Self.ownScopes))
    }

    /// Owns the app's name on the bus and takes up what an earlier process left unfinished.
    package func start() async throws {
        do {
            try await endpoint.register { [weak self] delivery in await self?.receive(delivery) }
            await endpoint.setBeforePong { [weak self] app, name in await self?.tellWaiting(app, at: name) }
            try await resumeFlows()
        } catch {
            await endpoint.finishSettingUp()
            throw error
        }
        await endpoint.finishSettingUp()
        surroundings.environment.spawn("resume logouts") { [self] in await resumeLogouts() }
    }

    /// Leaves the bus; what was spawned is cancelled and awaited.
    package func stop() async {
        await endpoint.withdraw()
        await surroundings.environment.stop()
    }

    private func receive(_ delivery: Delivery) async {
        switch delivery.content {
        case .open(let url):
            do {
                try await handle(url, sender: delivery.sender)
            } catch {
                // Told already: in the journal, and by command to whoever may know.
            }
        case .action(name: "send-invitation", parameter: let flow?):
            // Another process of this app has prepared an invitation and asks the one that owns the name to send it.
            guard let own = surroundings.ownUserID, delivery.sender?.userID == own else { return }
            await sendPrepared(flow)
        case .action(name: "tell-logouts", parameter: _):
            // Another process of this app has stored a logout; the one that owns the name tells the apps.
            guard let own = surroundings.ownUserID, delivery.sender?.userID == own else { return }
            try? await tellOpenNotices()
        case .activate, .action:
            break
        }
    }

    /// The flow that a command names, where its signature holds; nothing is taken.
    package nonisolated func provenFlow(of url: String) async -> String? { await endpoint.provenFlow(of: url) }

    /// Handles a URL command that arrived, over the bus (`sender`) or otherwise.
    ///
    /// - Throws: the rule that refused it.
    package func handle(_ url: String, sender: PeerEvidence?) async throws {
        // The mode is decided by the scheme, before anything else of the URL is looked at.
        if allowsClassic, ClassicURL.isClaimed(url, scheme: ClassicClientEntry.identityProviderScheme) {
            return try await handleClassic(url, sender: sender)
        }
        guard let incoming = try await endpoint.accept(url, from: sender) else { return }
        try await endFlowsOfRevokedKeys()
        switch incoming.command.command {
        case .authrequest(let request): try await accept(request, incoming)
        case .logout(let request): try await accept(request, incoming)
        case .logoutack: try await takeReceipt(incoming)
        case .error, .cancel:
            if try isAboutLogout(incoming.command) { return try await takeReceipt(incoming) }
            if try await takesBack(incoming) { return }
            try await report(incoming)
        default: try await report(incoming)
        }
    }

    func client(_ id: AppID) throws -> RegisteredClientApp {
        guard let app = try apps.find(id) else {
            throw Fault(.unknownClientApp, detail: "removed while its flow was under way")
        }
        return app
    }

    func journal(_ kind: JournalEntry.Kind, _ flow: FlowID?, _ message: String, code: ErrorCode? = nil) {
        surroundings.journal.record(JournalEntry(kind, flow: flow?.text, message, code: code))
    }

    /// The id of a flow that begins now.
    package nonisolated func newFlow() throws -> FlowID { try FlowID(surroundings.environment.uuid()) }

    func remaining(until deadline: Timestamp) -> Duration { max(.zero, deadline - surroundings.environment.now()) }
}
