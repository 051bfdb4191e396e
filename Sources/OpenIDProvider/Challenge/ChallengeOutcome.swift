import Basics
import Platform

/// What one way of asking comes to.
enum ChallengeOutcome: Sendable {
    /// A code can be made.
    case code(CodeDraft, mark: SingleUseMark?)
    /// The person has to sign in at the broker first; then the broker repeats the call.
    case signIn(words: String)
    /// A sign-in that did not succeed goes on under its `auth_session`.
    case again(words: String, session: String?, tries: Int)
}

/// One way of asking at `/authorize-challenge`.
protocol ChallengeVariant: Sendable {
    /// The parameter that says that this way is meant; nothing for the one that needs none.
    static var parameter: String? { get }
    static func run(_ form: Parameters, _ caller: ChallengeCaller, _ context: ProviderContext) async throws
        -> ChallengeOutcome
}
