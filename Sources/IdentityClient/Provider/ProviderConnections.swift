import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// The connections of one app to its providers, one for each issuer.
package struct ProviderConnections: Sendable {
    private let connections: [String: ProviderConnection]

    init(entries: [IdentityProviderEntry], key: SigningKey, surroundings: Surroundings) {
        var connections: [String: ProviderConnection] = [:]
        for entry in entries where connections[entry.issuer.text] == nil {
            connections[entry.issuer.text] = ProviderConnection(
                issuer: entry.issuer, clientID: entry.clientID, key: key, authentication: .keyProofOnly,
                http: surroundings.http, environment: surroundings.environment, journal: surroundings.journal)
        }
        self.connections = connections
    }

    /// Takes one connection.
    package init(_ connection: ProviderConnection) { connections = [connection.issuer.text: connection] }

    /// The connection to that issuer.
    ///
    /// - Throws: `no-identity-provider` when no entry of the manifest names it.
    package func connection(to issuer: String) throws -> ProviderConnection {
        guard let connection = connections[issuer] else { throw Fault(.noIdentityProvider) }
        return connection
    }
}
