import Basics

/// `error`: a refusal from a short closed list. The text shown comes from our own table, never from the wire.
package struct AuthError: Sendable, Hashable {
    /// OAuth's and OpenID's codes, and one of ours.
    package enum Reason: String, Sendable, Codable, CaseIterable, Error {
        case accessDenied = "access_denied"
        case cannotBroker = "cannot_broker"
        case consentRequired = "consent_required"
        case interactionRequired = "interaction_required"
        case invalidGrant = "invalid_grant"
        case invalidRequest = "invalid_request"
        case invalidScope = "invalid_scope"
        case loginRequired = "login_required"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        case unauthorizedClient = "unauthorized_client"
    }

    /// Why (`errorCode`).
    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    init(_ reader: inout FieldReader) throws(Fault) {
        guard let reason = Reason(rawValue: try reader.text("errorCode")) else {
            throw Fault(.commandMeaning, detail: "errorCode is not on the list")
        }
        self.reason = reason
    }

    var fields: [String: JSONValue] { ["errorCode": .string(reason.rawValue)] }
}
