import Handoff

/// How far a logout goes.
public enum LogoutScope: String, Sendable, CaseIterable {
    /// This app's own login.
    case app
    /// The login in every app of this device that the identity provider app handed it to.
    case device
    /// Every session that the person has at the provider.
    case everywhere

    var onTheWire: LogoutRequest.Scope {
        switch self {
        case .app: .app
        case .device: .device
        case .everywhere: .everywhere
        }
    }
}

/// What came of a logout.
public struct LogoutResult: Sendable, Equatable {
    /// How far it went: with `force` it may have ended at this app.
    public let scope: LogoutScope
    /// Whether the provider was told; what it was not, it is told when it can be.
    public let isRevoked: Bool

    package init(scope: LogoutScope, isRevoked: Bool) {
        self.scope = scope
        self.isRevoked = isRevoked
    }
}
