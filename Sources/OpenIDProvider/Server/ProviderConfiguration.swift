package import JOSE
package import OpenIDConnect

/// How one provider behaves, as one value with defaults.
package struct ProviderConfiguration: Sendable {
    /// Who the provider is; fixed when the home is made.
    package var issuer: Issuer
    /// What its pages call themselves.
    package var displayName: String
    /// How long a code can be redeemed.
    package var codeLifetime: Duration
    /// How long an access token is good for.
    package var accessTokenLifetime: Duration
    /// How long a refresh token is good for after its last rotation.
    package var refreshTokenLifetime: Duration
    /// How long an ID token is good for.
    package var idTokenLifetime: Duration
    /// How long a person stays signed in here.
    package var sessionLifetime: Duration
    /// How long a page waits for its answer.
    package var interactionLifetime: Duration
    /// How long an answer is kept for a client that proves its key and did not receive it.
    package var answerLifetime: Duration
    /// The scrypt cost of new passwords, and of the decoy for users that do not exist.
    package var passwordCost: PasswordHash.Cost
    /// How many wrong passwords one user name may see within `passwordWindow`.
    package var passwordTries: Int
    /// How long a wrong password counts.
    package var passwordWindow: Duration
    /// Whether test switches are on: said in the metadata and on every page.
    package var isTest: Bool

    package init(
        issuer: Issuer, displayName: String = "Countersign on this machine", codeLifetime: Duration = .seconds(60),
        accessTokenLifetime: Duration = .seconds(15 * 60), refreshTokenLifetime: Duration = .seconds(30 * 86_400),
        idTokenLifetime: Duration = .seconds(10 * 60), sessionLifetime: Duration = .seconds(12 * 3_600),
        interactionLifetime: Duration = .seconds(10 * 60), answerLifetime: Duration = .seconds(10),
        passwordCost: PasswordHash.Cost = .standard, passwordTries: Int = 5,
        passwordWindow: Duration = .seconds(10 * 60), isTest: Bool = false
    ) {
        self.issuer = issuer
        self.displayName = displayName
        self.codeLifetime = codeLifetime
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshTokenLifetime = refreshTokenLifetime
        self.idTokenLifetime = idTokenLifetime
        self.sessionLifetime = sessionLifetime
        self.interactionLifetime = interactionLifetime
        self.answerLifetime = answerLifetime
        self.passwordCost = passwordCost
        self.passwordTries = passwordTries
        self.passwordWindow = passwordWindow
        self.isTest = isTest
    }
}
