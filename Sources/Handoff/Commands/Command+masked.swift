package import Basics
import JOSE

extension Command {
    /// The fields as a log or a trace shows them: codes and opaque tokens as dots, the request object as the few
    /// claims that name no secret.
    package var maskedFields: [String: JSONValue] {
        var fields = fields
        for name in Command.secretFields where fields[name] != nil { fields[name] = "••••" }
        // A key's thumbprint says nothing that the registry does not, and differs between two runs of one seed.
        fields["enc_kid"] = nil
        if case .authrequest(let request) = self {
            fields["request"] = Command.maskedRequest(request.request)
        }
        return fields
    }

    private static let secretFields = ["code", "state", "sid", "logout_token"]
    private static let shownClaims = ["client_id", "aud", "redirect_uri", "scope", "prompt", "max_age", "acr_values"]

    private static func maskedRequest(_ compact: String) -> JSONValue {
        guard let object = try? UnverifiedJWS(compact: compact),
            let claims = try? JSONValue(parsing: object.unverifiedPayload)
        else { return "unreadable" }
        var shown: [String: JSONValue] = [:]
        for name in shownClaims { shown[name] = claims[name] }
        return .object(shown)
    }
}
