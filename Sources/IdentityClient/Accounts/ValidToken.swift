public import Basics

/// A token that is valid now, with what a caller needs to use it.
public struct ValidToken: Sendable {
    /// The access token.
    public let accessToken: Secret<String>
    /// `DPoP` or `Bearer`.
    public let tokenType: String
    /// When it is void.
    public let expires: Timestamp
    /// The account it is for.
    public let account: UserAccount
    /// The key that it is bound to.
    let keyID: String?
}
