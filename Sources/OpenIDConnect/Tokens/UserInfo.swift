package import Basics

/// What the provider says about a person (OpenID Connect Core §5.3).
package struct UserInfo: Sendable, Hashable {
    /// `sub`.
    package let subject: Subject
    /// All claims, `sub` among them.
    package let claims: [String: JSONValue]

    /// Reads an answer that was asked for with the token of that subject.
    ///
    /// - Throws: `userinfo-subject` unless it is about exactly that subject (OpenID Connect Core §5.3.2).
    package init(json: JSONValue, expecting subject: Subject) throws(Fault) {
        guard let claims = json.objectValue, claims["sub"] == .string(subject.text) else {
            throw Fault(.userInfoSubject)
        }
        self.subject = subject
        self.claims = claims
    }
}

/// Shown without its claims: they are personal.
extension UserInfo: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "UserInfo(••••••••)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
