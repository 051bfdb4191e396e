import Basics
import Handoff
import IdentityClient
import OpenIDConnect

/// Has the provider end an account's sessions, over HTTP and with this app's own authentication: there is no other door.
struct SessionRevocation: Sendable {
    /// What the provider did.
    enum Result: Sendable {
        /// The sessions have ended; with the logout tokens, by client id.
        case done(tokens: [String: Secret<String>])
        /// The provider has no such endpoint, or nothing proves the account any more: each app revokes its own tokens.
        case leftToApps
    }

    let provider: ProviderConnection

    /// Ends the sessions.
    ///
    /// - Parameters:
    ///   - sessions: earlier sessions of the same person on this device.
    ///   - clients: whom logout tokens are wanted for.
    /// - Throws: `logout-needs-sign-in` or `logout-everywhere-unsupported` where *everywhere* cannot be had.
    func end(
        _ scope: LogoutRequest.Scope, provedBy proof: AccountProof?, sessions: [String], clients: [ClientID],
        flow: FlowID
    ) async throws -> Result {
        guard let proof else {
            guard scope != .everywhere else { throw Fault(.logoutNeedsSignIn) }
            return .leftToApps
        }
        var fields = [
            ("scope", scope.rawValue), ("id_token_hint", proof.idToken.unmasked),
            ("device_secret", proof.deviceSecret.unmasked),
        ]
        if !sessions.isEmpty { fields.append(("sid", sessions.joined(separator: " "))) }
        if scope == .everywhere { fields.append(("for_clients", clients.map(\.text).joined(separator: " "))) }
        guard let answer = try await provider.logoutSessions(fields, flow: flow.text) else {
            guard scope != .everywhere else { throw Fault(.logoutEverywhereUnsupported) }
            return .leftToApps
        }
        let tokens = answer["logout_tokens"]?.objectValue ?? [:]
        return .done(tokens: tokens.compactMapValues(\.stringValue).mapValues { Secret($0) })
    }
}
