import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform

extension Fault {
    /// The error for a refusal that came over the wire; its text is our own.
    init(refusal reason: AuthError.Reason) {
        switch reason {
        case .accessDenied: self.init(.accessDenied)
        case .loginRequired, .consentRequired: self.init(.loginRequired)
        case .interactionRequired:
            self.init(
                .interactionRequired, "The identity provider app must ask a person, and cannot.",
                next: "Answer there: run countersign-idp serve in a terminal.")
        case .cannotBroker: self.init(.cannotBroker)
        case .temporarilyUnavailable: self.init(.peerUnavailable)
        case .serverError: self.init(.peerFailed)
        case .invalidGrant, .invalidRequest, .invalidScope, .unauthorizedClient:
            self.init(.peerRefused, "The identity provider app refused: \(reason.rawValue).")
        }
    }

    /// The error that a stored outcome names.
    init(stored code: String, text: String) {
        self.init(ErrorCode.known(code) ?? .internalFault, text)
    }
}

extension ErrorCode {
    /// The code of that name, among all that an app of this role can meet.
    static func known(_ name: String) -> ErrorCode? {
        (basics + jose + openIDConnect + platform + handoff + identityClient).first { $0.name == name }
    }
}
