package import Basics
package import Handoff
import IdentityClient
import JOSE
package import OpenIDConnect
package import Platform

/// What is made when a client app is registered: its manifest with the identity provider's pin, and its row in the app
/// registry with the app's own. Values only; whoever makes a home writes them, in one commit with the provider's row.
package struct AppEnrolment: Sendable {
    /// What the person says about the app.
    package struct Description: Sendable {
        package var id: AppID
        package var displayName: String
        package var scheme: String
        package var redirectURIs: [RedirectURI]
        package var scopes: ScopeSet
        /// https hosts that `start_url` may name.
        package var hosts: [String]
        /// How to start it: an argument list.
        package var start: [String]
        /// The executable that its process must have; `nil` for an interpreter's script.
        package var executable: String?
        package var delivery: AppManifest.DeliveryRule
        /// What opens URLs for it in place of the desktop.
        package var opener: [String] = []
        package var consent: AppRegistryEntry.ConsentRule
        package var groups: [String]
        package var switchRule: AppManifest.SwitchRule
        package var concurrency: AppManifest.Concurrency
        package var permissions: [AppRegistryEntry.Permission]

        /// Describes an app with the usual values: redirects at its own scheme and on loopback.
        package init(id: AppID, displayName: String? = nil, scheme: String? = nil) throws(Fault) {
            self.id = id
            self.displayName = displayName ?? id.text
            self.scheme = scheme ?? id.text
            redirectURIs = [
                try RedirectURI("\(self.scheme)://callback"), try RedirectURI("http://127.0.0.1/callback"),
            ]
            scopes = try ScopeSet("openid profile email offline_access")
            hosts = []
            start = []
            executable = nil
            delivery = .any
            consent = .firstUse
            groups = [AppEnrolment.sharedGroup]
            switchRule = .ask
            concurrency = .many
            permissions = []
        }
    }

    /// The secret group of the apps of one home.
    package static let sharedGroup = "handoff"

    package let keys: AppPublicKeys
    package private(set) var manifest: AppManifest
    package private(set) var entry: AppRegistryEntry

    /// Makes the enrolment of a client.
    ///
    /// - Parameters:
    ///   - keys: the public halves of the app's keys.
    ///   - identityProvider: the identity provider app's manifest.
    ///   - identityProviderKeys: its keys, whose public halves the client pins.
    ///   - issuer: the issuer that it speaks for.
    package init(
        of app: Description, keys: AppPublicKeys, identityProvider: AppManifest,
        identityProviderKeys: AppPublicKeys, issuer: Issuer
    ) throws(Fault) {
        self.keys = keys
        let clientID = try ClientID(app.id.text)
        guard let scheme = identityProvider.schemes.first else { throw Fault(.appNotEnrolled) }
        manifest = AppManifest(
            id: app.id.text, displayName: app.displayName, role: .client, schemes: [app.scheme],
            redirectURIs: app.redirectURIs.map(\.text), scopes: app.scopes.names, domains: app.hosts,
            start: app.start, delivery: app.delivery, opener: app.opener, groups: app.groups,
            identityProviders: [
                AppManifest.IdentityProvider(
                    id: identityProvider.id, displayName: identityProvider.displayName, scheme: scheme,
                    commandKey: identityProviderKeys.command.json,
                    encryptionKey: identityProviderKeys.encryption.json, issuer: issuer.text,
                    clientID: clientID.text, switchRule: app.switchRule, allowsKeychain: !app.groups.isEmpty,
                    concurrency: app.concurrency)
            ])
        entry = AppRegistryEntry(
            id: app.id, displayName: app.displayName, scheme: app.scheme, commandKey: keys.command,
            commandAlgorithm: try SignatureAlgorithm(pinnedWith: keys.command), encryptionKey: keys.encryption,
            oauthKey: keys.oauth, oauthAlgorithm: try SignatureAlgorithm(pinnedWith: keys.oauth), clientID: clientID,
            redirectURIs: app.redirectURIs, scopes: app.scopes, hosts: app.hosts, consent: app.consent,
            delivery: app.delivery == .direct ? .direct : .any, allowsKeychain: !app.groups.isEmpty,
            executable: app.executable, permissions: app.permissions)
        entry.groups = app.groups
    }

    /// Keeps what an earlier registration said of keys that count for a while yet, and of secret groups: a manifest only
    /// asks for them.
    package mutating func keep(_ entry: AppRegistryEntry?, _ manifest: AppManifest?) {
        self.entry.formerCommandKeys = entry?.formerCommandKeys
        self.entry.formerOAuthKeys = entry?.formerOAuthKeys
        if let entry { self.entry.groups = entry.secretGroups }
        for index in self.manifest.identityProviders.indices {
            let pin = manifest?.identityProviders.first { $0.id == self.manifest.identityProviders[index].id }
            self.manifest.identityProviders[index].formerCommandKeys = pin?.formerCommandKeys ?? []
        }
    }

    /// The manifest of the identity provider app of a home.
    package static func identityProviderManifest(start: [String]) -> AppManifest {
        AppManifest(
            id: identityProviderID, displayName: "Countersign", role: .identityProvider, schemes: [identityProviderID],
            redirectURIs: ["http://127.0.0.1/callback"],
            scopes: HandoffBroker.ownScopes.split(separator: " ").map(String.init),
            start: start, groups: [sharedGroup])
    }

    /// The id of the identity provider app.
    package static let identityProviderID = "org.countersign.idp"
    /// The id of the client app that every home has.
    package static let firstClientID = "org.countersign.client"
}

extension AppRegistryEntry {
    /// The secret groups that the app is a member of.
    package var secretGroups: [String] { groups ?? (allowsKeychain ? [AppEnrolment.sharedGroup] : []) }
}
