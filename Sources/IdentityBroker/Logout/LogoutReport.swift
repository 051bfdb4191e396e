package import Handoff

/// What came of a logout: for each app whether its tokens are dead, and whether it said that it knows.
package struct LogoutReport: Sendable {
    /// One app's part.
    package struct Row: Sendable {
        package let app: AppID
        /// Its registered name.
        package let name: String
        /// Whether its tokens are dead.
        package let isRevoked: Bool
        package let state: LogoutNoticeState

        /// What the app said of it, if it did.
        package var outcome: LogoutAcknowledgement.Outcome? {
            if case .acknowledged(let outcome) = state { outcome } else { nil }
        }
    }

    package let flow: FlowID
    package let scope: LogoutRequest.Scope
    /// Whether the provider has ended the sessions.
    package let isRevoked: Bool
    /// The apps that had a login of the account through this app, by id.
    package let apps: [Row]
}
