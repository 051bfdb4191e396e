import Basics
import JOSE
import OpenIDConnect
import Platform

/// An authorization request that waits for a person.
struct Interaction: Codable, Sendable {
    /// Stands in the form.
    var id: String
    /// Stands in the form too, and nobody else's page knows it.
    var token: String
    /// The browser that the page was sent to.
    var browser: String
    var request: AuthorizationRequest
    var requestObject: SingleUseMark?
    /// The subject that an `id_token_hint` named.
    var hintedSubject: Subject?
    var expires: Timestamp
    /// When the person signed in for this request.
    var authenticatedAt: Timestamp?
    /// Whether the person asked for another account.
    var asksOtherAccount = false
    /// The consent that the page asked for, and the one that was given.
    var askedConsent: String?
    var givenConsent: String?

    func put(in transaction: borrowing Transaction) throws {
        try ProviderTables.interactions.put(id, self, expires: expires, in: transaction)
    }

    /// The interaction that a form belongs to: known, not too old, from the browser it was shown in, with its token.
    static func open(
        _ form: Parameters, _ http: HTTPRequest, _ context: ProviderContext
    ) throws -> (Interaction, BrowserCookie, BrowserRecord) {
        guard let id = form["interaction"], let token = form["token"] else { throw Refusal.staleInteraction }
        let found = try context.store.read { try ProviderTables.interactions.find(id, in: $0) }
        guard let interaction = found, context.now < interaction.expires else { throw Refusal.staleInteraction }
        guard let (cookie, record) = try BrowserCookie.read(http, context), cookie.key == interaction.browser,
            constantTimeEqual(token, interaction.token)
        else { throw Refusal.foreignInteraction }
        return (interaction, cookie, record)
    }
}

extension Refusal {
    static var staleInteraction: Refusal {
        Refusal(.invalidRequest, "This page is too old or was answered already. Go back to the app and start again.")
    }

    static var foreignInteraction: Refusal {
        var refusal = Refusal(
            .invalidRequest, "This form does not come from a page of this browser. Go back to the app and start again.")
        refusal.status = 403
        return refusal
    }
}
