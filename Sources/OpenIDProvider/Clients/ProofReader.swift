import Basics
import JOSE
import OpenIDConnect
import Platform

/// A DPoP proof that has been checked, with its mark not yet taken.
struct ProvedKey: Sendable {
    let thumbprint: KeyThumbprint
    let mark: SingleUseMark
}

/// Reads the `DPoP` header as all endpoints share it (RFC 9449 §4.3).
enum ProofReader {
    /// The proof of a request; nothing where none was sent.
    static func read(
        _ request: HTTPRequest, at endpoint: Endpoint, accessToken: String? = nil, _ context: ProviderContext
    ) throws -> ProvedKey? {
        let headers = request.headers.values("DPoP")
        guard headers.count <= 1 else { throw Refusal(.invalidDPoPProof, "There are two DPoP headers. Send one.") }
        guard let compact = headers.first else { return nil }
        return try refusing(
            .invalidDPoPProof, "The DPoP proof was not accepted. Sign one for this method and URL, just now."
        ) {
            let proof = try DPoPProof.verified(
                compact, method: request.method, url: context.url(endpoint), accessToken: accessToken, now: context.now)
            let mark = SingleUseMark(
                purpose: .proof, owner: proof.thumbprint.value, id: proof.id, expires: proof.issuedAt + lifetime)
            return ProvedKey(thumbprint: proof.thumbprint, mark: mark)
        }
    }

    /// How long after its `iat` a proof may still be accepted, and so must still be known.
    private static let lifetime: Duration = .seconds(180)
}
