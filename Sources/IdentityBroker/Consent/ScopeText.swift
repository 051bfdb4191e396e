/// What scopes mean, in words for a person.
enum ScopeText {
    // In the order in which a person reads them: who, then what, then how long.
    private static let known = [
        ("openid", "know who you are"), ("profile", "see your name"), ("email", "see your e-mail address"),
        ("offline_access", "stay signed in until you log out"),
    ]

    /// The words for the scopes; a scope without words by its name, after those with.
    static func texts(_ scopes: [String]) -> [String] {
        let worded = known.filter { scopes.contains($0.0) }.map(\.1)
        let others = scopes.filter { scope in !known.contains { $0.0 == scope } }
        return worded + others.map { "use “\($0)”" }
    }
}
