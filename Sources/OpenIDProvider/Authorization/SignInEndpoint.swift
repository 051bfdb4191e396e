import Basics
import OpenIDConnect
import Platform

/// `POST /sign-in`: the answer to the sign-in page.
struct SignInEndpoint: Sendable {
    let context: ProviderContext

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let (interaction, cookie, browser) = try Interaction.open(form, http, context)
        let endpoint = AuthorizationEndpoint(context: context)
        let client = try interaction.client(context)
        let exchange = AuthorizationExchange(
            resuming: interaction, client: client, cookie: cookie, sessionID: browser.sessionID)
        if form["choice"] == "cancel" {
            let refusal = Refusal(.accessDenied, "The person cancelled the sign-in. Ask again when they want to.")
            return try await endpoint.refuse(refusal, exchange)
        }
        let username = form["username"] ?? ""
        var page = SignInPage(context: context, client: client, interaction: interaction, username: username)
        guard !username.isEmpty, let password = form["password"] else {
            page.problem = "Type your user name and your password."
            return page.response()
        }
        switch try await PasswordCheck.run(username, Secret(password), context) {
        case .wrong(let left):
            page.problem = PasswordCheck.words(left: left)
            return page.response()
        case .throttled:
            page.problem = PasswordCheck.throttledWords(context)
            return page.response(status: 429)
        case .right(let user):
            let signedIn = try await signIn(user, interaction, replacing: cookie, client)
            return try await endpoint.run(AuthorizationStep.deciding, signedIn)
        }
    }

    /// Starts a session under a new cookie, so that a value planted before the sign-in is worth nothing after it.
    private func signIn(
        _ user: RegisteredUser, _ interaction: Interaction, replacing old: BrowserCookie, _ client: RegisteredClient
    ) async throws -> AuthorizationExchange {
        let session = ProviderSession.start(user.subject, context)
        let cookie = BrowserCookie.fresh(context)
        var interaction = interaction
        interaction.browser = cookie.key
        interaction.authenticatedAt = session.authenticatedAt
        let record = BrowserRecord(sessionID: session.id, expires: session.expires)
        try await context.store.write(.full) { [interaction] transaction in
            guard try ProviderTables.interactions.find(interaction.id, in: transaction) != nil else {
                throw Refusal.staleInteraction
            }
            try session.put(in: transaction)
            try ProviderTables.browsers.remove(old.key, in: transaction)
            try ProviderTables.browsers.put(cookie.key, record, expires: record.expires, in: transaction)
            try interaction.put(in: transaction)
        }
        context.journal.record(JournalEntry(.decided, "A person signed in."))
        var exchange = AuthorizationExchange(
            resuming: interaction, client: client, cookie: cookie, sessionID: session.id)
        exchange.cookieIsFresh = true
        return exchange
    }
}

extension Interaction {
    /// The client that asked, where it is still registered.
    func client(_ context: ProviderContext) throws -> RegisteredClient {
        let id = request.clientID.text
        guard let client = try context.store.read({ try ProviderTables.clients.find(id, in: $0) }) else {
            throw Refusal.staleInteraction
        }
        return client
    }
}
