import Basics
import JOSE
import OpenIDConnect
import Platform

/// Who asks at `/authorize-challenge` or `/logout-sessions`: a client that proved itself with its own key and with a DPoP proof.
struct ChallengeCaller: Sendable {
    let client: RegisteredClient
    /// The key of the DPoP proof.
    let keyThumbprint: KeyThumbprint

    /// Authenticates the caller and takes the marks of what it sent.
    static func authenticate(
        _ http: HTTPRequest, _ form: Parameters, at endpoint: Endpoint = .challenge, _ context: ProviderContext
    ) async throws -> ChallengeCaller {
        let authenticated = try ClientAuthenticator(context: context).authenticate(http, form)
        guard let mark = authenticated.mark else {
            throw Refusal(
                .unauthorizedClient,
                "Only a client that authenticates with private_key_jwt is served here. Use /authorize."
            )
        }
        guard let proof = try ProofReader.read(http, at: endpoint, context) else {
            throw Refusal(.invalidDPoPProof, "A DPoP proof is required here and is missing. Send one (RFC 9449).")
        }
        try await SingleUseMark.take([mark, proof.mark], context)
        return ChallengeCaller(client: authenticated.client, keyThumbprint: proof.thumbprint)
    }

    /// The account that the broker speaks for: an ID token with exactly this broker as audience, a session that lives,
    /// and the device secret that fits both and was made for this key.
    ///
    /// The token's `exp` may have passed: it says who, and the session says that they are here.
    ///
    /// - Returns: nothing where all fits and the session has ended, so that the person has to sign in again.
    func account(_ form: Parameters, _ context: ProviderContext) throws -> ProviderSession? {
        try provedAccount(form, context).session
    }

    /// The same, with the token itself: it says who, even where their session has ended.
    func provedAccount(
        _ form: Parameters, _ context: ProviderContext
    ) throws -> (token: IssuedIDToken, session: ProviderSession?) {
        let (hint, secret) = (try form.required("id_token_hint"), try form.required("device_secret"))
        let misfit = Refusal(
            .invalidGrant, "The ID token and the device secret do not prove an account of this broker. Sign in again.")
        let token = try refusing(.invalidGrant, misfit.error.description) { try IssuedIDToken(hint, context) }
        guard token.audience == [client.id.text], let hash = token.deviceSecretHash,
            constantTimeEqual(hash, TokenHash.leftHalf(secret))
        else { throw misfit }
        guard let (session, _) = try ProviderSession.alive(token.sessionID, context) else { return (token, nil) }
        guard session.subject == token.subject, let device = session.device, device.clientID == client.id,
            device.keyThumbprint == keyThumbprint, constantTimeEqual(device.secretDigest, storedDigest(secret))
        else { throw misfit }
        return (token, session)
    }
}
