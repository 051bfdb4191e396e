import Basics
import Handoff
import IdentityBroker
import IdentityClient
package import LinuxPlatform
import OpenIDConnect
package import Platform

/// Says of a URL command what it is, and whether an app of a home would take it. Nothing in the home changes.
package struct CommandExplainer: Sendable {
    private let home: Home
    private let environment: Environment

    package init(home: Home, environment: Environment) {
        self.home = home
        self.environment = environment
    }

    /// Explains a URL.
    ///
    /// - Throws: `not-a-command` for what has not the shape of one.
    package func explain(_ url: String) async throws -> CommandExplanation {
        guard let shape = CommandShape(url) else { throw Fault(.notACommand) }
        guard let receiver = try receiver(of: url) else { return try unclaimed(url, shape) }
        let keys = try await keys(of: receiver.id)
        let now = environment.now()
        if receiver.id == AppEnrolment.identityProviderID {
            return try examineAsProvider(url, receiver, keys, now)
        }
        return try examineAsClient(url, receiver, keys, now)
    }

    // MARK: - Who would take it

    private func receiver(of url: String) throws -> AppManifest? {
        try home.apps().map { try home.manifest(of: $0) }.first { CommandURL.isClaimed(url, schemes: $0.schemes) }
    }

    private func keys(of app: String) async throws -> AppKeys {
        let path = home.layout.secrets(of: app)
        // Opening makes what is missing, and looking must not.
        guard try PrivateFile(path: path + "/secrets.key").read(atMost: 1_024) != nil else {
            throw Fault(.appNotEnrolled, "The keys of \(app) are not in this home.")
        }
        let secrets = try await FileSecretStore.open(directory: path, environment: environment)
        do {
            let keys = try await AppKeys.load(from: secrets)
            await secrets.close()
            return keys
        } catch {
            await secrets.close()
            throw error
        }
    }

    /// A command that no app of this home would claim: what can be read of it without a key.
    private func unclaimed(_ url: String, _ shape: CommandShape) throws -> CommandExplanation {
        var explanation = CommandExplanation(shape: shape, examinedAt: environment.now())
        if shape.version != CommandURL.version {
            explanation.refuse(
                "version",
                Fault(
                    .notForThisApp,
                    "It speaks \(shape.version), and the apps here speak \(CommandURL.version): they leave it alone."))
        } else if CommandName(rawValue: shape.name) == nil {
            explanation.refuse("name", Fault(.notForThisApp, "There is no command named “\(shape.name)”."))
        } else {
            explanation.refuse(
                "scheme", Fault(.notForThisApp, "No app of this home has the scheme \(shape.scheme)."))
            if let command = try? CommandURL(url, schemes: [shape.scheme]) {
                explanation.decoded = try? UnverifiedCommand(command, decryptionKeys: [])
            }
        }
        return explanation
    }

    // MARK: - The rules

    private func examineAsProvider(
        _ url: String, _ receiver: AppManifest, _ keys: AppKeys, _ now: Timestamp
    ) throws -> CommandExplanation {
        let records = try ReadOnlyStore(path: home.layout.records).map { ScopedRecordStore($0, owner: "broker") }
        func client(_ id: AppID) throws -> RegisteredClientApp? {
            try records?.read { try AppRegistry.find(id, in: $0) }?.registeredClient()
        }
        let issuer = try Issuer(home.issuer)
        var sender: RegisteredClientApp?
        let examination = try CommandReceiver(
            id: try AppID(receiver.id), role: .identityProvider, schemes: receiver.schemes,
            decryptionKeys: keys.decryptionKeys(at: now)
        ).examine(url, now: now) { id throws(Fault) in
            do {
                sender = try client(id)
                return sender?.peer
            } catch {
                throw error as? Fault ?? Fault(.storeUnavailable, underlying: error)
            }
        }
        guard var examination else { throw Fault(.notACommand) }
        let from = sender
        examination.look(at: "transport") {
            if from?.entry.delivery == .direct { throw Fault(.deliveryRule) }
        }
        if let command = examination.verified {
            examination.look(at: "replay") { try records?.read { try ReplayLedger().check(command, in: $0) } }
            examination.look(at: "correlation") { try records?.read { try HandoffBroker.correlate(command, in: $0) } }
            examination.look(at: "request") {
                if let from { try HandoffBroker.checkRequest(command, of: from, issuer: issuer, now: now) }
            }
        } else {
            for rule in ["replay", "correlation", "request"] { examination.look(at: rule) {} }
        }
        return CommandExplanation(examination, of: url, by: receiver, sender: from?.entry.displayName, at: now)
    }

    private func examineAsClient(
        _ url: String, _ receiver: AppManifest, _ keys: AppKeys, _ now: Timestamp
    ) throws -> CommandExplanation {
        let peers = try receiver.identityProviders.map { try IdentityProviderEntry(manifest: $0).peer }
        let examination = try CommandReceiver(
            id: try AppID(receiver.id), role: .client, schemes: receiver.schemes,
            decryptionKeys: keys.decryptionKeys(at: now)
        ).examine(url, now: now) { id in peers.first { $0.id == id } }
        guard var examination else { throw Fault(.notACommand) }
        let records = try ReadOnlyStore(path: home.layout.records(of: receiver.id))
        examination.look(at: "transport") {
            if receiver.delivery == .direct { throw Fault(.deliveryRule) }
        }
        if let command = examination.verified {
            examination.look(at: "replay") { try records?.read { try ReplayLedger().check(command, in: $0) } }
            examination.look(at: "correlation") {
                // An app that never ran has no flow.
                guard let records else { return _ = try FlowContract.concerns(command, at: .client, in: .none) }
                try records.read { try HandoffClient.correlate(command, in: $0) }
            }
        } else {
            for rule in ["replay", "correlation"] { examination.look(at: rule) {} }
        }
        let sender = examination.decoded.flatMap { command in peers.first { $0.id == command.envelope.sender } }
        return CommandExplanation(examination, of: url, by: receiver, sender: sender?.displayName, at: now)
    }
}

/// The shape of a URL command, read without knowing whose scheme it is.
package struct CommandShape: Sendable, Equatable {
    package let scheme: String
    package let version: String
    package let name: String

    /// Reads `{scheme}://oauth2/{version}/{command}…`; nothing for any other URL.
    package init?(_ url: String) {
        guard
            let match = url.prefixMatch(
                of: #/([a-zA-Z][a-zA-Z0-9+.\-]{0,99}):\/\/oauth2\/(v[0-9]{1,4}\.[0-9]{1,4})\/([a-zA-Z0-9]{1,40})/#)
        else { return nil }
        scheme = String(match.1)
        version = String(match.2)
        name = String(match.3)
    }
}
