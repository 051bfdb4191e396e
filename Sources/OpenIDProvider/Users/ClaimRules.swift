import Basics
import OpenIDConnect

/// Which claims a scope opens (OpenID Connect Core §5.4).
enum ClaimRules {
    static let byScope: [(scope: String, claims: [String])] = [
        (
            "profile",
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]),
        ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    /// Every claim that a token or the UserInfo endpoint may carry.
    static let supported =
        ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "sid", "acr", "amr", "at_hash", "ds_hash"]
        + byScope.flatMap(\.claims)

    /// What a client with that scope may know about the user.
    static func claims(of user: RegisteredUser, for scope: ScopeSet) -> [String: JSONValue] {
        var known = user.claims
        if known["preferred_username"] == nil { known["preferred_username"] = .string(user.username) }
        var opened: [String: JSONValue] = ["sub": .string(user.subject.text)]
        for (name, claims) in byScope where scope.contains(name) {
            for claim in claims { opened[claim] = known[claim] }
        }
        return opened
    }
}

/// What each scope means to the person who is asked.
enum ScopeWords {
    static func lines(for scope: ScopeSet) -> [String] {
        words.filter { scope.contains($0.scope) }.map(\.words)
            + scope.names.filter { name in !words.contains { $0.scope == name } }.map { "use what it calls “\($0)”" }
    }

    private static let words: [(scope: String, words: String)] = [
        ("openid", "know who you are"),
        ("profile", "see your name and profile"),
        ("email", "see your e-mail address"),
        ("address", "see your postal address"),
        ("phone", "see your telephone number"),
        ("offline_access", "stay signed in until you log out"),
        ("device_sso", "sign you in to other apps on this machine"),
    ]
}
