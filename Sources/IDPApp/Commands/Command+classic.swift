import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

extension Device {
    /// Registers a classic client: rows in both registries, and nothing else, since it has no keys.
    func addClassicClient(_ id: AppID, _ call: Invocation) async throws -> ExitStatus {
        guard let scheme = call.option("--scheme") else { throw call.invalid("--scheme", "a classic client needs one") }
        guard let redirect = call.options("--redirect").first, call.options("--redirect").count == 1 else {
            throw call.invalid("--redirect", "a classic client needs one, and no more")
        }
        for option in ["--host", "--consent", "--delivery", "--switch", "--concurrency"]
        where !call.options(option).isEmpty {
            throw call.invalid(option, "it is not for classic clients, which are asked about each time")
        }
        _ = try await identityProvider()
        let entry = ClassicClientEntry(
            id: id, displayName: call.option("--name") ?? id.text, scheme: scheme, clientID: try ClientID(id.text),
            redirectURI: try RedirectURI(redirect),
            scopes: try ScopeSet(call.option("--scope-list") ?? "openid profile email"),
            executable: call.option("--exec").flatMap(Executable.binary))
        let brokerID = try ClientID(AppEnrolment.identityProviderID)
        try await records.write(.full) { transaction in
            try transaction.scoped(to: "broker") { try ClassicRegistry.put(entry, in: $0) }
            try transaction.scoped(to: "provider") { provider in
                let client = RegisteredClient.classicApp(
                    id: entry.clientID, displayName: entry.displayName, redirectURI: entry.redirectURI,
                    scopes: entry.scopes)
                try ProviderRegistry.put(client: client, in: provider)
                guard var broker = try ProviderRegistry.client(brokerID, in: provider) else { return }
                broker.mayInitiate = broker.mayInitiate.filter { $0 != client.id } + [client.id]
                try ProviderRegistry.put(client: broker, in: provider)
            }
        }
        call.output.result(entry.json, text: entry.shown(call.output))
        return .done
    }
}

extension ClassicClientEntry {
    /// The entry as `--json` prints it.
    var json: [String: JSONValue] {
        [
            "id": .string(id.text), "name": .string(displayName), "scheme": .string(scheme), "classic": true,
            "clientID": .string(clientID.text), "redirectURI": .string(redirectURI.text),
            "scopes": .string(scopes.text), "executable": executable.map(JSONValue.string) ?? .null,
        ]
    }

    /// The entry in words: red, where there are colours.
    func shown(_ output: Output) -> String {
        output.styled("\(id) is CLASSIC: what it asks is unsigned, and nothing proves who asks.", .bad) + """

              heard by      countersign-idp serve --allow-classic
              asks at       \(ClassicClientEntry.identityProviderScheme)://oauth2/v1.0/authrequest
              from          the bus name \(id)
              client id     \(clientID)
              redirect URI  \(redirectURI)
              scopes        \(scopes)
            """
    }
}
