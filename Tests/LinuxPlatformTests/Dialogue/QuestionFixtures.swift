import Basics
import Platform

@testable import LinuxPlatform

extension Question {
    /// A consent question as the identity provider app asks it.
    static func consent(
        asker: Asker = Asker(
            name: "Notes", id: "com.example.notes", keyFingerprint: "7f3a 91c0 5e2d", unverifiedName: "Notes Pro"),
        ending deadline: Timestamp = LiveClock.now() + .seconds(600)
    ) -> Question {
        Question(
            .consent, title: "Let Notes use your account?", asker: asker,
            lines: ["As alice, it would be able to know who you are."],
            choices: [
                Choice("allow", "Allow"), Choice("other", "Choose another account"),
                Choice("later", "Not today", disabledReason: "it was asked today"),
            ], deadline: deadline)
    }

    /// A question with fields.
    static func signIn(problem: String? = nil) -> Question {
        Question(
            .signIn, title: "Sign in", problem: problem,
            fields: [
                Field("username", "User name", value: "alice"), Field("password", "Password", isSecret: true),
            ], choices: [Choice("sign-in", "Sign in")], deadline: LiveClock.now() + .seconds(600))
    }
}
