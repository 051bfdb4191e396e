import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform
import Synchronization

/// The connections of one app to its providers, one for each issuer and each key that something is bound to. The app's
/// keys are read anew each time, so one that was replaced is not used for anything new.
package final class ProviderConnections: Sendable {
    private struct Place: Hashable {
        var issuer: String
        var keyID: String
    }

    private let make: @Sendable (_ issuer: String, _ keyID: String?) async throws -> ProviderConnection?
    private let connections = Mutex<[Place: ProviderConnection]>([:])

    init(entries: [IdentityProviderEntry], keyring: AppKeyring, surroundings: Surroundings) {
        make = { issuer, keyID in
            guard let entry = entries.first(where: { $0.issuer.text == issuer }) else { return nil }
            let key = try await keyring.current().oauth(boundTo: keyID, at: surroundings.environment.now())
            return ProviderConnection(
                issuer: entry.issuer, clientID: entry.clientID, key: key, authentication: .keyProofOnly,
                http: surroundings.http, environment: surroundings.environment, journal: surroundings.journal)
        }
    }

    /// Takes one connection.
    package init(_ connection: ProviderConnection) {
        make = { issuer, _ in issuer == connection.issuer.text ? connection : nil }
    }

    /// The connection to that issuer.
    ///
    /// - Parameter keyID: the key that the request, code or token is bound to; the one in use where nothing is said.
    /// - Throws: `no-identity-provider` when no entry of the manifest names it.
    package func connection(to issuer: String, boundTo keyID: String? = nil) async throws -> ProviderConnection {
        guard let made = try await make(issuer, keyID) else { throw Fault(.noIdentityProvider) }
        // One that is known has the provider's metadata already.
        return connections.withLock { connections in
            let place = Place(issuer: issuer, keyID: made.keyID)
            let connection = connections[place] ?? made
            connections[place] = connection
            return connection
        }
    }
}
