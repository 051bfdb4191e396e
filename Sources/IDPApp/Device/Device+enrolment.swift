import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

/// Setting up a home, and registering apps in it: both registries change in one commit.
extension Device {
    /// The identity provider app's manifest and keys; they are made at the first call.
    func identityProvider() async throws -> (manifest: AppManifest, keys: AppKeys) {
        try await withSecrets(of: AppEnrolment.identityProviderID) { try await identityProvider($0) }
    }

    private func identityProvider(_ secrets: FileSecretStore) async throws -> (AppManifest, AppKeys) {
        // Two programs that make the app at once would each keep half of what the other made.
        if let made = try await madeIdentityProvider(secrets) { return made }
        return try await home.whileSettingUp(environment) {
            if let made = try await madeIdentityProvider(secrets) { return made }
            return try await makeIdentityProvider(secrets)
        }
    }

    private func madeIdentityProvider(_ secrets: FileSecretStore) async throws -> (AppManifest, AppKeys)? {
        let id = AppEnrolment.identityProviderID
        guard try home.apps().contains(id) else { return nil }
        return (try home.manifest(of: id), try await AppKeys.load(from: secrets))
    }

    private func makeIdentityProvider(_ secrets: FileSecretStore) async throws -> (AppManifest, AppKeys) {
        let id = AppEnrolment.identityProviderID
        let manifest = AppEnrolment.identityProviderManifest(start: PrivateBus.thisProgramAsKeeper + ["serve"])
        let keys = try AppKeys.generate(randomBytes: environment.randomBytes)
        try await keys.save(to: secrets)
        let broker = RegisteredClient.broker(
            id: try ClientID(id), displayName: manifest.displayName,
            redirectURIs: try manifest.redirectURIs.map { uri throws(Fault) in try RedirectURI(uri) },
            scopes: try ScopeSet(manifest.scopes), key: try ClientKey(AppPublicKeys(keys).oauth))
        try await records.write(.full) { transaction in
            try transaction.scoped(to: "provider") { try ProviderRegistry.put(client: broker, in: $0) }
        }
        // The manifest last: an app with one is complete.
        try home.write(manifest)
        return (manifest, keys)
    }

    /// Registers a client app: keys, manifest, both registries, the secret group.
    ///
    /// An app that is there keeps its keys; its description is replaced.
    @discardableResult
    func enrol(_ app: AppEnrolment.Description, keys source: KeySource = .made(.es256)) async throws -> AppEnrolment {
        let (manifest, providerKeys) = try await identityProvider()
        return try await home.whileSettingUp(environment) {
            var enrolment = try AppEnrolment(
                of: app, keys: try await publicKeys(of: app.id, source), identityProvider: manifest,
                identityProviderKeys: AppPublicKeys(providerKeys), issuer: issuer)
            enrolment.keep(
                try brokerStore.read { try AppRegistry.find(app.id, in: $0) },
                try home.apps().contains(app.id.text) ? try home.manifest(of: app.id.text) : nil)
            // Before anything is written: what stands in a manifest is read back by every start.
            try home.require(enrolment.manifest)
            let certificate = try await home.issueAppCertificate(
                for: app.id.text, key: enrolment.keys.command, environment)
            try await register(enrolment)
            try home.write(certificate, of: app.id.text)
            try home.write(enrolment.manifest)
            try await updateGroups(providerKeys)
            return enrolment
        }
    }

    /// Writes an app's keys for a program in another language, where that is asked for now or was before.
    func exportKeys(of id: AppID, isAsked: Bool = false) async throws {
        guard try isAsked || home.hasExportedKeys(of: id.text) else { return }
        let keys = try await withSecrets(of: id.text) { try await AppKeys.load(from: $0) }
        try home.write(exportedKeys: keys.exported(), of: id.text)
    }

    /// Both registries in one commit: the client's row at the provider, the app's row here, and that the one may ask
    /// for the other.
    private func register(_ enrolment: AppEnrolment) async throws {
        let entry = enrolment.entry
        let described = RegisteredClient.handoffApp(
            id: entry.clientID, displayName: entry.displayName, redirectURIs: entry.redirectURIs, scopes: entry.scopes,
            key: try ClientKey(enrolment.keys.oauth, algorithm: entry.oauthAlgorithm))
        let brokerID = try ClientID(AppEnrolment.identityProviderID)
        try await records.write(.full) { transaction in
            try transaction.scoped(to: "provider") { provider in
                var client = described
                client.formerKeys = try ProviderRegistry.client(client.id, in: provider)?.formerKeys
                try ProviderRegistry.put(client: client, in: provider)
                guard var broker = try ProviderRegistry.client(brokerID, in: provider) else { return }
                broker.brokerFor = broker.brokerFor.filter { $0 != client.id } + [client.id]
                broker.mayInitiate = broker.mayInitiate.filter { $0 != client.id }
                if entry.allowsKeychain { broker.mayInitiate.append(client.id) }
                try ProviderRegistry.put(client: broker, in: provider)
            }
            try transaction.scoped(to: "broker") { try AppRegistry.put(entry, in: $0) }
        }
    }

    /// Removes an app from both registries, its folder, and the secret group.
    func remove(_ id: AppID, from desktop: DesktopInstallation) async throws {
        let clientID = try ClientID(id.text)
        let brokerID = try ClientID(AppEnrolment.identityProviderID)
        let keys = try await identityProvider().keys
        try await home.whileSettingUp(environment) {
            try await removeRows(of: id, clientID, brokerID)
            // The folder goes below, and with it what is known of the app's place in the desktop.
            _ = try desktop.uninstall(id.text)
            try BusService.remove(id.text, home: home.path)
            try SchemeConflicts(home).remove(id.text)
            _ = try home.removeApp(id.text)
            try await updateGroups(keys)
        }
    }

    private func removeRows(of id: AppID, _ clientID: ClientID, _ brokerID: ClientID) async throws {
        let wasThere = try await records.write(.full) { transaction in
            let atProvider = try transaction.scoped(to: "provider") { provider in
                if var broker = try ProviderRegistry.client(brokerID, in: provider) {
                    broker.brokerFor.removeAll { $0 == clientID }
                    broker.mayInitiate.removeAll { $0 == clientID }
                    try ProviderRegistry.put(client: broker, in: provider)
                }
                return try ProviderRegistry.remove(client: clientID, in: provider)
            }
            let here = try transaction.scoped(to: "broker") { broker in
                let isSigned = try AppRegistry.remove(id, in: broker)
                let isClassic = try ClassicRegistry.remove(id, in: broker)
                return isSigned || isClassic
            }
            return atProvider || here
        }
        guard wasThere else { throw Fault(.unknownClientApp) }
    }

    /// Registers the client app that every home has, once.
    func enrolFirstClient() async throws {
        let id = try AppID(AppEnrolment.firstClientID)
        guard try brokerStore.read({ try AppRegistry.find(id, in: $0) }) == nil else { return }
        try await enrol(try description(of: id))
    }

    /// Whether the app takes part in hand-offs already, or is the one that every home has.
    func isHandoffApp(_ id: AppID) throws -> Bool {
        try id.text == AppEnrolment.firstClientID || brokerStore.read { try AppRegistry.find(id, in: $0) } != nil
    }

    /// What is known about an app: how it is registered now, else the usual values.
    func description(of id: AppID, scheme: String? = nil) throws -> AppEnrolment.Description {
        guard let entry = try brokerStore.read({ try AppRegistry.find(id, in: $0) }), try home.apps().contains(id.text)
        else { return try newDescription(of: id, scheme: scheme) }
        let manifest = try home.manifest(of: id.text)
        var app = try AppEnrolment.Description(
            id: id, displayName: entry.displayName, scheme: scheme ?? entry.scheme)
        // Redirects at the app's own scheme follow it.
        if app.scheme == entry.scheme { app.redirectURIs = entry.redirectURIs }
        app.scopes = entry.scopes
        app.hosts = entry.hosts
        app.start = manifest.start
        app.executable = entry.executable
        app.delivery = manifest.delivery
        app.opener = manifest.opener
        app.consent = entry.consent
        app.permissions = entry.permissions ?? []
        app.groups = manifest.groups
        if let pin = manifest.identityProviders.first {
            app.switchRule = pin.switchRule
            app.concurrency = pin.concurrency
        }
        return app
    }

    private func newDescription(of id: AppID, scheme: String?) throws -> AppEnrolment.Description {
        guard id.text == AppEnrolment.firstClientID else { return try AppEnrolment.Description(id: id, scheme: scheme) }
        var app = try AppEnrolment.Description(id: id, displayName: "Countersign Client", scheme: scheme)
        if let path = Executable.besideThis("countersign-client") {
            app.start = [path, "serve"]
            app.executable = path
        }
        return app
    }
}
