package import Basics
import JOSE

/// What comes back to a redirect URI: a code or a refusal, with the state and the issuer (RFC 6749 §4.1.2, RFC 9207).
package struct AuthorizationResponse: Sendable, Equatable {
    /// What the server decided.
    package enum Outcome: Sendable, Equatable {
        /// A one-time code (`code`).
        case code(Secret<String>)
        /// A refusal (`error`).
        case refusal(OAuthError)
    }

    package var outcome: Outcome
    /// `state`.
    package var state: State?
    /// `iss`.
    package var issuer: Issuer?

    package init(_ outcome: Outcome, state: State?, issuer: Issuer?) {
        self.outcome = outcome
        self.state = state
        self.issuer = issuer
    }

    /// Reads a response from the query fields that came back.
    ///
    /// - Throws: `invalid-authorization-response` where a field stands twice, or there is not exactly one of `code` and
    ///   `error`; the codes of `State` and `Issuer`.
    package init(fields: [(String, String)]) throws(Fault) {
        var values: [String: String] = [:]
        for (name, value) in fields {
            guard values.updateValue(value, forKey: name) == nil else { throw Fault(.invalidResponse) }
        }
        if let state = values["state"] { self.state = try State(state) } else { state = nil }
        if let issuer = values["iss"] { self.issuer = try Issuer(issuer) } else { issuer = nil }
        switch (values["code"], values["error"]) {
        case (let code?, nil):
            guard code.isVisibleASCII(atMost: 2_048) else { throw Fault(.invalidResponse) }
            outcome = .code(Secret(code))
        case (nil, let error?):
            var json: [String: JSONValue] = ["error": .string(error)]
            json["error_description"] = values["error_description"].map(JSONValue.string)
            outcome = .refusal(OAuthError(json: .object(json), status: 400))
        default:
            throw Fault(.invalidResponse)
        }
    }

    /// Checks that this answers the request that was sent to that issuer, before anything in it is used: the issuer,
    /// then the state.
    ///
    /// A refusal is checked like a code, else anybody could end a login.
    ///
    /// - Parameter issuerIsRequired: whether the metadata says that `iss` is always sent (RFC 9207 §3).
    /// - Throws: `response-issuer-mismatch`, `state-mismatch`.
    package func check(state expected: State?, issuer asked: Issuer, issuerIsRequired: Bool) throws(Fault) {
        guard issuer == asked || (issuer == nil && !issuerIsRequired) else { throw Fault(.responseIssuerMismatch) }
        guard constantTimeEqual(state?.text ?? "", expected?.text ?? "") else { throw Fault(.stateMismatch) }
    }

    /// The response as query fields.
    package var fields: [(String, String)] {
        var fields: [(String, String)]
        switch outcome {
        case .code(let code): fields = [("code", code.unmasked)]
        case .refusal(let error): fields = error.fields
        }
        if let state { fields.append(("state", state.text)) }
        if let issuer { fields.append(("iss", issuer.text)) }
        return fields
    }
}
