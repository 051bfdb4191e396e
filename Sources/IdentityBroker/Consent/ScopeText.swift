/// What a scope means, in words for a person.
enum ScopeText {
    private static let known = [
        "openid": "know who you are", "profile": "see your name", "email": "see your e-mail address",
        "offline_access": "stay signed in until you log out",
    ]

    /// The words for a scope; its name where there are none.
    static func text(_ scope: String) -> String { known[scope] ?? "use “\(scope)”" }
}
