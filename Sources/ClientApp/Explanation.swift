import Basics
import Handoff
import IdentityClient
import LinuxPlatform
import Platform

/// What the program says of an error that came out of the SDK.
struct Explanation {
    let home: Home
    let manifest: AppManifest

    /// The error to show: the one below the SDK's wrapper, so that a cancellation by a signal keeps its exit code, and
    /// for a refused request the pin that is not this home's issuer, which the refusal on the wire may not name.
    func of(_ error: any Error) -> any Error {
        let below = (error as? UserAccountManagerError)?.underlyingError ?? error
        guard let fault = below as? Fault, fault.code == .peerRefused,
            let entry = manifest.identityProviders.first(where: { $0.issuer != home.issuer })
        else { return below }
        return Fault(
            .answerIssuerMismatch,
            "\(fault.text) It speaks for \(home.issuer), and \(entry.issuer) is pinned for \(entry.id); they first "
                + "differ at \(firstDifference(home.issuer, entry.issuer)).")
    }
}
