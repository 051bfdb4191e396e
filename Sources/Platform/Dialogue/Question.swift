public import Basics

/// A question that a role puts to the person, as a value. A `Dialogue` draws it.
public struct Question: Sendable {
    /// What is asked; scripts and prompt programs recognise the question by it.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Identity provider or local login (a client).
        case loginFlowSelection = "login-flow-selection"
        /// Which account answers (the identity provider app).
        case userSelection = "user-selection"
        /// Whether a client may use the account.
        case consent
        /// User name and password.
        case signIn = "sign-in"
        /// Whether this app may change to another account.
        case switchConfirmation = "switch-confirmation"
        /// Whether to sign out of more than this app.
        case logoutConfirmation = "logout-confirmation"
        /// Which of two apps opens the URLs of a scheme.
        case schemeConflict = "scheme-conflict"
        /// The first user of a new home.
        case firstUser = "first-user"
    }

    /// Who asks, by the registry's words, and what it says of itself.
    public struct Asker: Sendable {
        /// The registered display name.
        public var name: String
        /// The app id.
        public var id: String
        /// The fingerprint of the pinned key, for people.
        public var keyFingerprint: String
        /// What the asker calls itself, where that differs. Never verified.
        public var unverifiedName: String?

        public init(name: String, id: String, keyFingerprint: String, unverifiedName: String? = nil) {
            self.name = name
            self.id = id
            self.keyFingerprint = keyFingerprint
            self.unverifiedName = unverifiedName
        }
    }

    /// One possible answer.
    public struct Choice: Sendable {
        /// The handle that comes back; opaque to the one who draws it.
        public var id: String
        public var title: String
        public var subtitle: String?
        /// Why it cannot be taken now; a choice with a reason is shown and refused.
        public var disabledReason: String?

        public init(_ id: String, _ title: String, subtitle: String? = nil, disabledReason: String? = nil) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.disabledReason = disabledReason
        }
    }

    /// One line of text that the person types.
    public struct Field: Sendable {
        public var name: String
        public var label: String
        public var isSecret: Bool
        /// What stands in the field already.
        public var value: String

        public init(_ name: String, _ label: String, isSecret: Bool = false, value: String = "") {
            self.name = name
            self.label = label
            self.isSecret = isSecret
            self.value = value
        }
    }

    public var kind: Kind
    public var title: String
    public var asker: Asker?
    /// Sentences above the choices.
    public var lines: [String]
    /// What went wrong last time, such as a wrong password.
    public var problem: String?
    public var fields: [Field]
    /// The possible answers, the default first. Cancelling is always possible and not listed.
    public var choices: [Choice]
    /// After this instant the answer is ignored.
    public var deadline: Timestamp

    public init(
        _ kind: Kind, title: String, asker: Asker? = nil, lines: [String] = [], problem: String? = nil,
        fields: [Field] = [], choices: [Choice], deadline: Timestamp
    ) {
        self.kind = kind
        self.title = title
        self.asker = asker
        self.lines = lines
        self.problem = problem
        self.fields = fields
        self.choices = choices
        self.deadline = deadline
    }
}

/// What the person chose.
public struct Answer: Sendable {
    /// The `id` of the choice.
    public var choice: String
    /// What was typed, by field name.
    public var fields: [String: Secret<String>]

    public init(_ choice: String, fields: [String: Secret<String>] = [:]) {
        self.choice = choice
        self.fields = fields
    }
}

/// Puts questions to the person at this app.
public protocol Dialogue: Sendable {
    /// Asks, and returns the one answer.
    ///
    /// - Throws: `Cancellation` when the person gives up, `Fault` with `interaction-required` when there is no way to
    ///   ask here, `CancellationError` when the asker no longer waits.
    func ask(_ question: Question) async throws -> Answer
}
