import Basics
import OpenIDConnect
import Platform

/// `POST /token`: the phases that all grants share, in their order.
struct TokenEndpoint: Sendable {
    let context: ProviderContext

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let client = try ClientAuthenticator(context: context).authenticate(http, form)
        let proof = try ProofReader.read(http, at: .token, context)
        try await SingleUseMark.take([client.mark, proof?.mark].compactMap(\.self), context)
        let request = TokenRequest(form: form, client: client, proof: proof)
        let presentation = try present(request)
        return Responses.json(try await Redemption(context, request, presentation).run())
    }

    private func present(_ request: TokenRequest) throws -> Presentation {
        let name = try request.form.required("grant_type")
        let supported = TokenGrants.all.map { $0.type.rawValue }.joined(separator: ", ")
        guard let grant = TokenGrants.named(name) else {
            throw Refusal(.unsupportedGrantType, "This grant_type is not known here. Use one of: \(supported).")
        }
        guard request.client.client.grantTypes.contains(grant.type) else {
            throw Refusal(.unauthorizedClient, "The client is not registered for this grant_type. Register it.")
        }
        guard request.proof != nil || !request.client.client.dpopBound else {
            throw Refusal(.invalidDPoPProof, "This client's tokens are bound to a key. Send a DPoP proof (RFC 9449).")
        }
        return try grant.present(request)
    }
}
