import Basics
import OpenIDConnect
import Platform

/// Where a response goes, once that is certain.
struct ReturnAddress: Sendable {
    let redirectURI: RedirectURI
    let state: State?
}

/// One authorization request on its way through the steps.
struct AuthorizationExchange: Sendable {
    let parameters: Parameters
    /// The browser's cookie and what it stands for; a fresh one is sent with the answer.
    var cookie: BrowserCookie?
    var cookieIsFresh = false
    var sessionID: String?
    /// The request that waited for a person, where this goes on with one.
    var interaction: Interaction?
    var returnAddress: ReturnAddress?

    private var foundClient: RegisteredClient?
    private var readRequest: AuthorizationRequest?
    private var foundSession: (ProviderSession, RegisteredUser)?

    var requestObject: SingleUseMark?
    var hintedSubject: Subject?
    var code: Secret<String>?

    /// A request as it comes in.
    init(_ http: HTTPRequest, _ context: ProviderContext) throws {
        parameters = try Parameters(http)
        if let (cookie, record) = try BrowserCookie.read(http, context) {
            self.cookie = cookie
            sessionID = record.sessionID
        }
    }

    /// A request that a person has answered a page of.
    init(
        resuming interaction: Interaction, client: RegisteredClient, cookie: BrowserCookie, sessionID: String?
    ) {
        parameters = Parameters([])
        self.interaction = interaction
        self.cookie = cookie
        self.sessionID = sessionID
        foundClient = client
        readRequest = interaction.request
        requestObject = interaction.requestObject
        hintedSubject = interaction.hintedSubject
        returnAddress = ReturnAddress(redirectURI: interaction.request.redirectURI, state: interaction.request.state)
    }

    // The steps stand in one list, so each finds what the ones before it left.

    var client: RegisteredClient {
        get throws { try known(foundClient) }
    }
    var request: AuthorizationRequest {
        get throws { try known(readRequest) }
    }
    var session: ProviderSession {
        get throws { try known(foundSession).0 }
    }
    var user: RegisteredUser {
        get throws { try known(foundSession).1 }
    }

    /// The session where there is one.
    var possibleSession: ProviderSession? { foundSession?.0 }
    /// The request where it has been read already.
    var possibleRequest: AuthorizationRequest? { readRequest }

    mutating func set(client: RegisteredClient) { foundClient = client }
    mutating func set(request: AuthorizationRequest) { readRequest = request }
    mutating func set(session: (ProviderSession, RegisteredUser)?) { foundSession = session }

    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Fault(.internalFault, detail: "an authorization step ran too early") }
        return value
    }
}
