import Basics

/// How a login is to go.
public struct LoginOptions: Sendable {
    /// Which login flow.
    public enum Via: Sendable, Hashable {
        /// The login-flow selection asks.
        case ask
        /// The identity provider app of that id, or the only one.
        case identityProvider(String?)
        /// The provider's own pages, for this app only.
        case local
    }

    public var via: Via
    /// Whom the app means: a user name, or a subject of the pinned issuer that this app knows.
    public var userHint: String?
    /// Where the person has the account: the host of a provider. It counts only where that is registered; the
    /// identity provider app refuses any other.
    public var loginHost: String?
    /// How long the whole login may take; five minutes at most.
    public var timeout: Duration
    /// Whether the login adds an account beside those that are there; the selection says so.
    public var addsAccount: Bool
    /// Whether the app's logins that still wait at the same identity provider app end, as superseded.
    public var supersedesPending: Bool

    /// The longest life of a login.
    public static let longest: Duration = .seconds(300)
    /// The usual life of a login in which people answer.
    public static let withPeople: Duration = .seconds(120)
    /// The usual life of a login between programs.
    public static let betweenPrograms: Duration = .seconds(10)

    public init(
        via: Via = .ask, userHint: String? = nil, loginHost: String? = nil,
        timeout: Duration = LoginOptions.withPeople, addsAccount: Bool = false, supersedesPending: Bool = false
    ) {
        self.via = via
        self.userHint = userHint
        self.loginHost = loginHost
        self.timeout = min(timeout, LoginOptions.longest)
        self.addsAccount = addsAccount
        self.supersedesPending = supersedesPending
    }
}
