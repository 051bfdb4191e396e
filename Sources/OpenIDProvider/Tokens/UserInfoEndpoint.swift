import Basics
import JOSE
import OpenIDConnect
import Platform

/// `/userinfo` (OpenID Connect Core §5.3), with bearer tokens (RFC 6750) and bound ones (RFC 9449 §7.1).
struct UserInfoEndpoint: Sendable {
    let context: ProviderContext

    private struct PresentedToken {
        var scheme: String
        var text: String
    }

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        do {
            let presented = try presentedToken(http)
            let token = try read(presented)
            try await prove(token, presented, http)
            guard token.scope.contains("openid") else {
                throw Refusal(.insufficientScope, "The access token lacks the scope openid. Ask for it at sign-in.")
            }
            let user = try owner(of: token)
            try await SealedAnswer.end(family: token.family, accessTokenID: token.id, context)
            return Responses.json(.object(ClaimRules.claims(of: user, for: token.scope)))
        } catch var refusal as Refusal {
            // At a protected resource a proof that fails is a failed authentication (RFC 9449 §7.1).
            if refusal.error.code == .invalidDPoPProof { refusal.status = 401 }
            refusal.headers += challenges(refusal)
            throw refusal
        }
    }

    private func presentedToken(_ http: HTTPRequest) throws -> PresentedToken {
        let headers = http.headers.values("Authorization")
        guard headers.count <= 1 else {
            throw Refusal(.invalidRequest, "There are two Authorization headers. Send one.")
        }
        let form = http.method == "POST" && !http.body.isEmpty ? try Parameters(http) : Parameters([])
        switch (headers.first, form["access_token"]) {
        case (.some, .some):
            throw Refusal(.invalidRequest, "The access token came twice (RFC 6750 section 2). Send it in the header.")
        case (let header?, nil):
            let halves = header.split(separator: " ", maxSplits: 1).map(String.init)
            guard halves.count == 2, ["bearer", "dpop"].contains(halves[0].lowercased()) else { throw unauthenticated }
            return PresentedToken(scheme: halves[0].lowercased(), text: halves[1].trimmingSpaces())
        case (nil, let text?): return PresentedToken(scheme: "bearer", text: text)
        case (nil, nil): throw unauthenticated
        }
    }

    private func read(_ presented: PresentedToken) throws -> AccessToken {
        let words = Refusal.invalidToken.error.description
        return try refusing(.invalidToken, words) {
            let token = try AccessToken(presented.text, context)
            try token.requireUnexpired(at: context.now)
            return token
        }
    }

    /// A bound token counts only with a proof of its key, and never as a bearer token (RFC 9449 §7.1).
    private func prove(_ token: AccessToken, _ presented: PresentedToken, _ http: HTTPRequest) async throws {
        guard let bound = token.keyThumbprint else {
            guard presented.scheme == "bearer" else { throw Refusal.invalidToken }
            return
        }
        guard presented.scheme == "dpop" else {
            throw Refusal(
                .invalidToken, "The access token is bound to a key. Send it with the scheme DPoP and a proof.")
        }
        guard let proof = try ProofReader.read(http, at: .userInfo, accessToken: presented.text, context) else {
            throw Refusal(.invalidDPoPProof, "The DPoP proof is missing. Send one with the hash of the access token.")
        }
        guard proof.thumbprint == bound else {
            throw Refusal(.invalidToken, "The DPoP proof is made with another key than the token is bound to.")
        }
        try await SingleUseMark.take([proof.mark], context)
    }

    /// The user, where the token's family is still alive.
    private func owner(of token: AccessToken) throws -> RegisteredUser {
        let now = context.now
        let user: RegisteredUser? = try context.store.read { records in
            guard let family = try ProviderTables.families.find(token.family, in: records), family.isAlive(at: now),
                family.clientID == token.clientID, family.subject == token.subject
            else { return nil }
            return try ProviderRegistry.user(token.subject, in: records)
        }
        guard let user else { throw Refusal.invalidToken }
        return user
    }

    private var unauthenticated: Refusal {
        var refusal = Refusal(.invalidToken, "There is no access token. Send one in the Authorization header.")
        refusal.status = 401
        return refusal
    }

    /// `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1).
    private func challenges(_ refusal: Refusal) -> [(name: String, value: String)] {
        guard [401, 403].contains(refusal.effectiveStatus) else { return [] }
        let error = "error=\"\(refusal.error.code.rawValue)\""
        return [
            ("WWW-Authenticate", "Bearer realm=\"\(context.issuer.text)\", \(error)"),
            ("WWW-Authenticate", "DPoP realm=\"\(context.issuer.text)\", \(error), algs=\"ES256 EdDSA PS256 RS256\""),
        ]
    }
}
