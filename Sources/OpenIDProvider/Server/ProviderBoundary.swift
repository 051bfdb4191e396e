package import Platform

extension Boundary {
    /// A code for another client is committed; the answer has not left yet.
    package static let providerCodeCommitted = Boundary("provider.code-committed")
    /// A credential is taken and the tokens are committed; the answer has not left yet.
    package static let providerTokensCommitted = Boundary("provider.tokens-committed")

    /// Every boundary of the provider, in the order of a login.
    package static let provider: [Boundary] = [.providerCodeCommitted, .providerTokensCommitted]
}
