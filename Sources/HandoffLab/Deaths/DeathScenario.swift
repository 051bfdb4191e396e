import IdentityClient

/// What is under way when a process dies.
package enum DeathScenario: String, Sendable, CaseIterable {
    /// A login that the client begins.
    case clientInitiated = "client-initiated"
    /// A login that the identity provider app begins with an invitation.
    case idpInitiated = "idp-initiated"
    /// A login whose code is handed over unasked.
    case keychain
    /// A logout of the device, from the identity provider app.
    case deviceLogout = "device-logout"
    /// A logout of one client, which the identity provider app hears of.
    case clientLogout = "client-logout"

    /// Whether it ends a login, where the others begin one.
    var isLogout: Bool { self == .deviceLogout || self == .clientLogout }

    /// Who takes part: one identity provider app with two users, and one client.
    static var cast: Cast {
        get throws {
            Cast([
                Cast.Member("idp", .identityProvider(users: [newcomer, resident])),
                Cast.Member("client", .client(try WorldPlan.app("org.countersign.client"))),
            ])
        }
    }

    /// Who logs in while somebody dies.
    static let newcomer = "alice"
    /// Who is logged in already, and must stay.
    static let resident = "bob"

    /// Plays it.
    ///
    /// - Parameter timeout: how long it may take.
    func play(on stage: any Stage, timeout: Duration) async throws -> ActionEnd {
        switch self {
        case .clientInitiated:
            try await stage.logIn(LoginOrder("client", hint: Self.newcomer, timeout: timeout))
        case .idpInitiated, .keychain:
            try await stage.invite(
                InvitationOrder(
                    "idp", to: "client", as: Self.newcomer, usesKeychain: self == .keychain, timeout: timeout))
        case .deviceLogout:
            try await stage.logOut(LogoutOrder(of: Self.newcomer, at: "idp", scope: .device, timeout: timeout))
        case .clientLogout:
            try await stage.logOut(LogoutOrder(of: Self.newcomer, at: "client", timeout: timeout))
        }
    }
}
