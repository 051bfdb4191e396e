import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import OpenIDConnect
import OpenIDProvider
import Platform

/// Clients that take no part in hand-offs: rows of the provider's registry alone.
extension Device {
    /// All plain clients.
    func plainClients() throws -> [RegisteredClient] {
        let apps = try brokerStore.read { try AppRegistry.list(in: $0) }
        return try providerStore.read { try ProviderRegistry.clients(in: $0) }.filter { client in
            !client.isBroker && !client.isClassic && !apps.contains { $0.clientID == client.id }
        }
    }

    /// The plain client of that id.
    func plainClient(_ id: AppID) throws -> RegisteredClient? {
        try plainClients().first { $0.id.text == id.text }
    }

    /// Registers a plain client.
    func addPlainClient(_ id: AppID, _ call: Invocation) async throws -> ExitStatus {
        let redirects = try call.options("--redirect").map { text throws(Fault) in try RedirectURI(text) }
        guard !redirects.isEmpty else {
            throw call.invalid("--redirect", "a client needs one, or --exec and --scheme to take part in hand-offs")
        }
        let client = RegisteredClient(
            id: try ClientID(id.text), displayName: call.option("--name") ?? id.text, redirectURIs: redirects,
            scopes: try ScopeSet(call.option("--scope-list") ?? "openid profile email offline_access"))
        try await providerStore.write(.full) { try ProviderRegistry.put(client: client, in: $0) }
        call.output.result(client.json(of: issuer), text: "Registered the client " + client.text(of: issuer))
        return .done
    }
}

extension RegisteredClient {
    /// A plain client as `--json` prints it.
    func json(of issuer: Issuer) -> [String: JSONValue] {
        [
            "clientID": .string(id.text), "name": .string(displayName), "issuer": .string(issuer.text),
            "redirectURIs": .array(redirectURIs.map { .string($0.text) }), "scopes": .string(scopes.text),
        ]
    }

    /// A plain client in words.
    func text(of issuer: Issuer) -> String {
        """
        \(id)
          name           \(displayName)
          issuer         \(issuer)
          redirect URIs  \(redirectURIs.map(\.text).joined(separator: " "))
          scopes         \(scopes.text)
        """
    }
}
