package import Basics

/// How one action ended for the one who asked for it.
package enum ActionEnd: Sendable, Equatable {
    case done
    /// It failed, with an error's code and text.
    case failed(code: String, text: String)
    /// The process in which it ran died, so nobody was told.
    case interrupted

    /// Runs an action and says how it ended.
    package static func of(_ action: () async throws -> Void) async -> ActionEnd {
        do {
            try await action()
            return .done
        } catch let error as any CodedError {
            return .failed(code: error.code.name, text: error.text)
        } catch is CancellationError {
            return .interrupted
        } catch {
            return .failed(code: ErrorCode.internalFault.name, text: "an error of type \(type(of: error))")
        }
    }

    package var isDone: Bool { self == .done }
}

/// An account that a client has.
package struct HeldAccount: Sendable, Equatable {
    package var username: String
    package var issuer: String
    package var subject: String
    package var isCurrent: Bool
}

/// A flow as an app has stored it.
package struct FlowState: Sendable, Equatable {
    package enum End: Sendable, Equatable {
        /// The client has its login.
        case completed
        /// It ended without one; the code says why.
        case failed(code: String)
    }

    package var id: String
    package var deadline: Timestamp
    /// How it ended; `nil` while it is under way.
    package var end: End?
}

/// What a provider has issued, and what it took for it. Every credential is good once, so the first never exceeds the
/// second.
package struct TokenLedger: Sendable, Equatable {
    /// How often tokens were issued.
    package var issued: Int
    /// The credentials that were taken, codes and refresh tokens, by the names of what they left.
    package var taken: Set<String>
    /// How often a credential came a second time and cost its family.
    package var reused: Int

    package init(issued: Int, taken: Set<String>, reused: Int) {
        self.issued = issued
        self.taken = taken
        self.reused = reused
    }

    /// What came since an earlier look.
    package func since(_ earlier: TokenLedger) -> TokenLedger {
        TokenLedger(
            issued: issued - earlier.issued, taken: taken.subtracting(earlier.taken), reused: reused - earlier.reused)
    }
}

/// What came of a logout for one app.
package struct LogoutRow: Sendable, Equatable {
    /// Who it is.
    package var app: String
    /// Whether its tokens are dead.
    package var revoked: Bool
    /// Whether it said that it knows.
    package var acknowledged: Bool

    package init(app: String, revoked: Bool, acknowledged: Bool) {
        self.app = app
        self.revoked = revoked
        self.acknowledged = acknowledged
    }
}
