/// Everything one app needs from the machine. `LinuxPlatform` makes it for a home; the lab makes it in memory.
public struct Surroundings: Sendable {
    package var environment: Environment
    package var manifest: AppManifest
    /// Reads the manifest as it is now; `nil` where it stays as it was when the app started.
    package var readManifest: (@Sendable () throws -> AppManifest)?
    /// The app's own records.
    package var store: any RecordStore
    package var secrets: any SecretStore
    /// The secret groups the app belongs to, by name.
    package var groups: [String: any SharedSecretStore]
    package var bus: any CommandBus
    package var http: any HTTPClient
    package var listener: any LoopbackListener
    package var opener: any URLOpener
    package var dialogue: any Dialogue
    package var journal: any Journal
    package var boundary: BoundaryHook
    /// The issuer of the home that the app is in, where it has a provider: named beside a pin that is another.
    package var homeIssuer: String?
    /// The user that this process runs as; deliveries of any other are refused.
    package var ownUserID: UInt32?

    package init(
        environment: Environment, manifest: AppManifest, store: any RecordStore, secrets: any SecretStore,
        groups: [String: any SharedSecretStore] = [:], bus: any CommandBus, http: any HTTPClient,
        listener: any LoopbackListener, opener: any URLOpener, dialogue: any Dialogue, journal: any Journal,
        boundary: @escaping BoundaryHook = { _ in }, homeIssuer: String? = nil,
        ownUserID: UInt32? = nil
    ) {
        self.environment = environment
        self.manifest = manifest
        self.store = store
        self.secrets = secrets
        self.groups = groups
        self.bus = bus
        self.http = http
        self.listener = listener
        self.opener = opener
        self.dialogue = dialogue
        self.journal = journal
        self.boundary = boundary
        self.homeIssuer = homeIssuer
        self.ownUserID = ownUserID
    }
}
