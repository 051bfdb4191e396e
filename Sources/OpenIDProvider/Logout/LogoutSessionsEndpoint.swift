import Basics
import OpenIDConnect
import Platform

/// `POST /logout-sessions`: a broker ends the sessions of an account that it holds, with all that came from them, and
/// gets the logout tokens that it is to hand to its apps (docs/handoff-protocol.md).
///
/// Asking twice is asking once: what has ended stays so, and the same proof is good for it.
struct LogoutSessionsEndpoint: Sendable {
    let context: ProviderContext

    /// How much ends.
    private enum Scope: String {
        /// The account's session at this broker, and those that the broker names as its own earlier ones.
        case device
        /// Every session of the person.
        case everywhere
    }

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let caller = try await ChallengeCaller.authenticate(http, form, at: .logoutSessions, context)
        guard caller.client.isBroker else {
            throw Refusal(.unauthorizedClient, "Only a broker ends sessions here. Use /revoke for your own tokens.")
        }
        guard let scope = Scope(rawValue: try form.required("scope")) else {
            throw Refusal(.invalidRequest, "scope is neither device nor everywhere. Send one of the two.")
        }
        let token = try caller.provedAccount(form, context).token
        try await end(scope, token, sessions: form.names("sid"))
        context.journal.record(
            JournalEntry(
                .decided, "Sessions were ended for a broker.",
                fields: ["broker": .string(caller.client.id.text), "scope": .string(scope.rawValue)]))
        let tokens = scope == .everywhere ? try tokens(for: form.names("for_clients"), caller.client, token) : [:]
        return Responses.json(["logout_tokens": .object(tokens)])
    }

    private func end(_ scope: Scope, _ token: IssuedIDToken, sessions: [String]) async throws {
        let (subject, ids) = (token.subject, Set(sessions + [token.sessionID]))
        try await context.store.write(.full) { transaction in
            switch scope {
            case .device: try ProviderRegistry.endSessions(ids, of: subject, in: transaction)
            case .everywhere: try ProviderRegistry.endEverything(of: subject, in: transaction)
            }
        }
    }

    /// The tokens for those of the named clients that the broker serves.
    ///
    /// They live as long as what they end could have: an app that is not there is told when it comes back, and it ends
    /// nothing that began after the token was made.
    private func tokens(
        for names: [String], _ broker: RegisteredClient, _ token: IssuedIDToken
    ) throws -> [String: JSONValue] {
        let served = Set((broker.brokerFor + broker.mayInitiate).map(\.text))
        let clients = try context.store.read { records in
            try names.filter(served.contains).compactMap { try ProviderTables.clients.find($0, in: records) }
        }
        let maker = LogoutTokenMaker(context: context)
        var tokens: [String: JSONValue] = [:]
        for client in clients {
            tokens[client.id.text] = .string(
                try maker.token(
                    for: client, subject: token.subject, sessionID: nil,
                    lifetime: context.configuration.refreshTokenLifetime))
        }
        return tokens
    }
}

extension Parameters {
    /// A parameter that is a list of names divided by spaces; empty where it is missing.
    fileprivate func names(_ parameter: String) -> [String] {
        (self[parameter] ?? "").split(separator: " ").map(String.init)
    }
}
