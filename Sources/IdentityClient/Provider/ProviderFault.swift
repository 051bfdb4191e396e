import Basics
import OpenIDConnect

/// One place where a provider's refusal becomes this product's error.
package func providerFault(_ error: any Error) -> any Error {
    guard let refusal = error as? OAuthError else { return error }
    return switch refusal.code {
    case .accessDenied: Fault(.accessDenied, detail: refusal.description)
    case .loginRequired: Fault(.loginRequired, detail: refusal.description)
    default: refusal.fault
    }
}
