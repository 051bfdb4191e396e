import Basics
import JOSE
import Platform

/// What answers at one address.
struct Route: Sendable {
    /// Whether a person reads the answer: refusals are pages then, and JSON elsewhere.
    enum Reader: Sendable {
        case person, program
    }

    let endpoint: Endpoint
    let methods: [String]
    let reader: Reader
    let respond: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// All addresses of the provider.
    static func all(_ context: ProviderContext) -> [Route] {
        let metadata = MetadataDocument.json(context.configuration).serialized()
        let keys = context.keys.set.json.serialized()
        return [
            Route(endpoint: .home, methods: ["GET"], reader: .person) { _ in HomePage.response(context) },
            Route(endpoint: .openIDConfiguration, methods: ["GET"], reader: .program) { _ in
                Responses.published(metadata)
            },
            Route(endpoint: .serverMetadata, methods: ["GET"], reader: .program) { _ in Responses.published(metadata) },
            Route(endpoint: .keys, methods: ["GET"], reader: .program) { _ in Responses.published(keys) },
            Route(
                endpoint: .authorize, methods: ["GET", "POST"], reader: .person,
                respond: AuthorizationEndpoint(context: context).respond),
            Route(
                endpoint: .signIn, methods: ["POST"], reader: .person, respond: SignInEndpoint(context: context).respond
            ),
            Route(
                endpoint: .consent, methods: ["POST"], reader: .person,
                respond: ConsentEndpoint(context: context).respond),
            Route(
                endpoint: .token, methods: ["POST"], reader: .program, respond: TokenEndpoint(context: context).respond),
            Route(
                endpoint: .userInfo, methods: ["GET", "POST"], reader: .program,
                respond: UserInfoEndpoint(context: context).respond),
            Route(
                endpoint: .revoke, methods: ["POST"], reader: .program,
                respond: RevocationEndpoint(context: context).respond),
            Route(
                endpoint: .challenge, methods: ["POST"], reader: .program,
                respond: ChallengeEndpoint(context: context).respond),
            Route(
                endpoint: .logoutSessions, methods: ["POST"], reader: .program,
                respond: LogoutSessionsEndpoint(context: context).respond),
        ]
    }
}
