import Basics
import Platform

/// What a script may say, as tables: the reader, the guide and the editor's schema are made from them.
package enum ScriptFormat {
    /// Whose name stands before the dot.
    package enum Performer: String, Sendable {
        case client
        case identityProvider = "idp"
        case anyActor = "actor"
    }

    /// What a value may be.
    package enum ValueKind: Sendable {
        case text
        case texts
        case truth
        case number
        case duration
        /// The name of an actor with that role.
        case actor(Performer)
        /// A user of the identity provider app that the step is about.
        case user
        case oneOf([String])
        case someOf([String])
        /// `any`, or one or several of `done`, `interrupted` and the codes of errors.
        case ends
    }

    /// A key with its value.
    package struct Value: Sendable {
        package let key: String
        package let kind: ValueKind
        package let isRequired: Bool
        package let summary: String

        init(_ key: String, _ kind: ValueKind, isRequired: Bool = false, _ summary: String) {
            self.key = key
            self.kind = kind
            self.isRequired = isRequired
            self.summary = summary
        }
    }

    /// Something that can be done: `ACTOR.VERB`, or `VERB` alone.
    package struct Verb: Sendable {
        package let name: String
        /// Whose name stands before it; `nil`: nobody's.
        package let performer: Performer?
        package let summary: String
        package let values: [Value]
        /// Whether it is the app that says how it ended.
        package let canFail: Bool
        let read: @Sendable (ScriptValues) throws(Fault) -> ScriptAct

        init(
            _ performer: Performer?, _ name: String, _ summary: String, _ values: [Value] = [], canFail: Bool = false,
            read: @escaping @Sendable (ScriptValues) throws(Fault) -> ScriptAct
        ) {
            self.name = name
            self.performer = performer
            self.summary = summary
            self.values =
                values + (canFail ? [Value("ends", .ends, "how it must end; done where nothing is said")] : [])
            self.canFail = canFail
            self.read = read
        }
    }

    /// Something that can be expected: `expect ACTOR.SUBJECT`.
    package struct Subject: Sendable {
        package let name: String
        package let performer: Performer
        package let summary: String
        /// What stands behind the colon, for readers.
        package let example: String
        let read: @Sendable (_ actor: String, _ wanted: ScriptValues) throws(Fault) -> ScriptCheck

        init(
            _ performer: Performer, _ name: String, _ summary: String, example: String,
            read: @escaping @Sendable (String, ScriptValues) throws(Fault) -> ScriptCheck
        ) {
            self.name = name
            self.performer = performer
            self.summary = summary
            self.example = example
            self.read = read
        }
    }

    /// What an actor is made of.
    package static let actorValues: [Performer: [Value]] = [
        .identityProvider: [
            Value("role", .oneOf(["idp"]), isRequired: true, "the identity provider app, with its provider"),
            Value("users", .texts, isRequired: true, "who can sign in there; the first is the person at the app"),
            device,
        ],
        .client: [
            Value("role", .oneOf(["client"]), isRequired: true, "a client app"),
            Value("app", .text, "its id; org.example.NAME where nothing is said"),
            Value("consent", .oneOf(consentWords), "when its users are asked for consent; first-use by default"),
            Value("concurrency", .oneOf(["many", "one"]), "how many logins run at once; many by default"),
            Value("switch", .oneOf(["ask", "silent"]), "whether its person is asked before another account is shown"),
            Value("allow", .someOf(permissionWords), "which logouts it may ask for beside its own"),
            device,
        ],
    ]

    private static let device = Value("device", .text, "the device it is on: \(Cast.firstDevice) where nothing is said")

    /// The keys of a step beside what it does.
    package static let stepNotes = [
        Value("name", .text, "what the step shows; reports print it"),
        Value("because", .text, "why it must be so; printed with a failure"),
    ]

    /// What an expectation may have beside its subject.
    package static let within = Value(
        "within", .duration, "how long it may take until it is so; 5s where nothing is said")

    /// What a crash is made of.
    package static let crashValues = [
        Value("actor", .actor(.anyActor), isRequired: true, "whose process is killed"),
        Value(
            "at", .oneOf(DeathPoint.allBoundaries.map(\.rawValue)), isRequired: true,
            "the boundary where it is killed, in the next step"),
        Value("restart-after", .duration, "how long it stays away; 0s where nothing is said"),
    ]
}
