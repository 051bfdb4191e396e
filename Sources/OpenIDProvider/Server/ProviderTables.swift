import Basics
import OpenIDConnect
import Platform

/// The records of the provider, each kind once.
enum ProviderTables {
    static let clients = Table<RegisteredClient>("client")
    static let users = Table<RegisteredUser>("user")
    /// From a subject to its user name.
    static let subjects = Table<String>("subject")
    static let sessions = Table<ProviderSession>("session")
    static let browsers = Table<BrowserRecord>("browser")
    static let interactions = Table<Interaction>("interaction")
    static let consents = Table<ConsentRecord>("consent")
    /// The clients from which a person has taken back what they allowed, and have not allowed since.
    static let withdrawals = Table<ClientID>("withdrawn-consent")
    static let codes = Table<CredentialRecord>("code")
    static let refreshTokens = Table<CredentialRecord>("refresh")
    static let families = Table<GrantFamily>("family")
    static let tombstones = Table<Tombstone>("tombstone")
    static let answers = Table<SealedAnswer>("answer")
    static let misses = Table<Int>("code-miss")
    static let challenges = Table<ChallengeSession>("challenge")
    static let throttles = Table<PasswordThrottle>("throttle")
    static let marks = Table<Timestamp>("mark")
    /// The largest expiry of a mark that was purged.
    static let watermark = Table<Timestamp>("mark-watermark")

    /// Kinds whose rows go when they have expired.
    ///
    /// Marks go on their own, because their purge leaves a watermark.
    static let expiring: [RecordKind] = [
        sessions.kind, browsers.kind, interactions.kind, codes.kind, refreshTokens.kind, families.kind,
        tombstones.kind, answers.kind, misses.kind, challenges.kind, throttles.kind,
    ]
}
