import Handoff
import IdentityClient

/// Which account is to answer a request.
enum AccountChoice: Equatable {
    /// This one.
    case use(UserAccount)
    /// The person chooses among these.
    case ask([UserAccount])
    /// Nobody fits who is signed in: the person signs in, under this name if there is one.
    case signIn(username: String?)

    /// Decides by the hint and who is signed in. It never guesses, and the current account plays no part: the one
    /// that was asked for answers, or a person says which.
    ///
    /// An unknown hint and a signed-out account lead to the same question, so that a client cannot tell them apart.
    init(hint: UserHint?, signedIn: [UserAccount], issuer: String) {
        switch hint {
        case nil:
            switch signedIn.count {
            case 0: self = .signIn(username: nil)
            case 1: self = .use(signedIn[0])
            default: self = .ask(signedIn)
            }
        case .account(let hinted, let subject):
            let match = signedIn.first { $0.issuer == hinted && hinted == issuer && $0.subject == subject }
            self = match.map(AccountChoice.use) ?? .signIn(username: nil)
        case .username(let name):
            let matches = signedIn.filter { $0.username == name }
            switch matches.count {
            case 0: self = .signIn(username: name)
            case 1: self = .use(matches[0])
            default: self = .ask(matches)
            }
        }
    }
}
