import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import Platform

/// Where a new app's keys come from.
enum KeySource: Sendable {
    /// They are made in this home; commands are signed with this algorithm.
    case made(SignatureAlgorithm)
    /// The app made its own and keeps them; these are their public halves.
    case own(AppPublicKeys)
}

/// The keys of the home's client apps.
extension Device {
    /// The public keys of an app: those it is registered with, else new ones.
    ///
    /// - Throws: `app-has-other-keys` where the source says otherwise: keys are never replaced by the way.
    func publicKeys(of id: AppID, _ source: KeySource) async throws -> AppPublicKeys {
        if let entry = try brokerStore.read({ try AppRegistry.find(id, in: $0) }) {
            let registered = try AppPublicKeys(entry)
            if case .own(let keys) = source, keys != registered { throw Fault(.otherKeys) }
            return registered
        }
        return switch source {
        case .own(let keys): keys
        case .made(let algorithm): AppPublicKeys(try await madeKeys(of: id, algorithm))
        }
    }

    /// The keys that an app of this home has, or new ones; they are saved before anything names them.
    private func madeKeys(of id: AppID, _ algorithm: SignatureAlgorithm) async throws -> AppKeys {
        try await withSecrets(of: id.text) { secrets in
            if try home.apps().contains(id.text) { return try await AppKeys.load(from: secrets) }
            let randomBytes = environment.randomBytes
            let keys = try await environment.offload {
                try AppKeys.generate(command: algorithm, randomBytes: randomBytes)
            }
            try await keys.save(to: secrets)
            return keys
        }
    }

    /// Opens the secrets of an app, and closes them whatever happens.
    func withSecrets<Value: Sendable>(
        of id: String, _ body: (FileSecretStore) async throws -> Value
    ) async throws -> Value {
        let secrets = try await FileSecretStore.open(directory: home.layout.secrets(of: id), environment: environment)
        do {
            let value = try await body(secrets)
            await secrets.close()
            return value
        } catch {
            await secrets.close()
            throw error
        }
    }
}
