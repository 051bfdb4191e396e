import Basics
import Handoff
import IdentityClient
import StrictYAML

extension ScriptFormat {
    static let consentWords = AppRegistryEntry.ConsentRule.allCases.map(\.rawValue)
    static let permissionWords = AppRegistryEntry.Permission.allCases.map(\.rawValue)
    private static let scopeWords = LogoutScope.allCases.map(\.rawValue)
    private static let commandWords = CommandName.allCases.map(\.rawValue)
    private static let meddlingWords = Meddling.commands.map(\.rawValue)
    private static let timeout = Value("timeout", .duration, "how long it may take; 10s where nothing is said")
    private static let usual: Duration = .seconds(10)

    /// Everything that can be done.
    package static let verbs: [Verb] =
        [signIn, logIn, open, logOut, use] + people + processes + interference

    // MARK: - Logins

    private static let signIn = Verb(
        .identityProvider, "login", "a user signs in at the identity provider app itself",
        [Value("user", .user, isRequired: true, "who")], canFail: true
    ) { values throws(Fault) in
        let (name, user) = (values.actor, try values.text("user"))
        return { try await $0.signIn(user, at: name) }
    }

    private static let logIn = Verb(
        .client, "login", "the client asks the identity provider app for a login",
        [Value("user-hint", .user, "whom the client means; the person picks where nothing is said"), timeout],
        canFail: true
    ) { values throws(Fault) in
        let order = LoginOrder(
            values.actor, hint: try values.text(ifAny: "user-hint"),
            timeout: try values.duration("timeout", else: usual))
        return { try await $0.logIn(order) }
    }

    private static let open = Verb(
        .identityProvider, "open", "the identity provider app opens a client with one of its users",
        [
            Value("app", .actor(.client), isRequired: true, "which client"),
            Value("user", .user, isRequired: true, "with whom; one who is signed in there"),
            Value("keychain", .truth, "hand the code over unasked, its verifier in the secret group"),
            Value("start-url", .text, "where in the client it is to begin"), timeout,
        ], canFail: true
    ) { values throws(Fault) in
        let order = InvitationOrder(
            values.actor, to: try values.text("app"), as: try values.text("user"),
            usesKeychain: try values.truth("keychain"), startURL: try values.text(ifAny: "start-url"),
            timeout: try values.duration("timeout", else: usual))
        return { try await $0.invite(order) }
    }

    private static let logOut = Verb(
        .anyActor, "logout", "a user is logged out, at a client or at the identity provider app",
        [
            Value("user", .user, isRequired: true, "who"),
            Value("scope", .oneOf(scopeWords), "app where nothing is said"), timeout,
        ], canFail: true
    ) { values throws(Fault) in
        let order = LogoutOrder(
            of: try values.text("user"), at: values.actor,
            scope: LogoutScope(rawValue: try values.text(ifAny: "scope") ?? "") ?? .app,
            timeout: try values.duration("timeout", else: usual))
        return { try await $0.logOut(order) }
    }

    private static let use = Verb(
        .client, "use", "the client uses a user's token at the provider",
        [Value("user", .user, isRequired: true, "whose")], canFail: true
    ) { values throws(Fault) in
        let (name, user) = (values.actor, try values.text("user"))
        return { try await $0.useAccount(user, of: name) }
    }

    // MARK: - People

    private static let people = [
        Verb(
            .anyActor, "person", "who sits at the app from now on, and what is answered",
            [
                Value("user", .user, isRequired: true, "who"),
                Value(
                    "choices", .texts,
                    "the ids or titles of choices, in the order of liking; yes to everything where nothing is said"),
            ]
        ) { values throws(Fault) in
            let name = values.actor
            let person = Person(
                try values.text("user"), choices: try values.texts(ifAny: "choices") ?? Person.willing)
            return doing { try await $0.seat(person, at: name) }
        },
        simple("hold", "questions at the app wait until release") { try await $0.hold($1) },
        simple("release", "questions at the app are answered again") { try await $0.release($1) },
    ]

    // MARK: - Processes

    private static let processes = [
        simple("stop", "the app ends in order, and stays away") { try await $0.stop($1) },
        simple("start", "the app is started again") { try await $0.start($1) },
        simple("restart", "the app ends in order and is started again") { try await $0.restart($1) },
    ]

    // MARK: - Interference

    private static let interference = [
        Verb(
            nil, "deliver", "a command that was captured on the bus is delivered once more",
            [
                Value("command", .oneOf(commandWords), isRequired: true, "which: the last of that name"),
                Value("from", .actor(.anyActor), isRequired: true, "who sent it"),
                Value("to", .actor(.anyActor), isRequired: true, "to whom"),
                Value("at", .actor(.anyActor), "to whom it goes now, on another device too; to the same by default"),
                Value("times", .number, "how often, one right after the other; 1 where nothing is said"),
            ]
        ) { values throws(Fault) in
            let times = try values.number(ifAny: "times") ?? 1
            guard times > 0, let command = CommandName(rawValue: try values.text("command")) else {
                throw values.node.refusal("a command is delivered at least once.")
            }
            let order = DeliveryOrder(
                command, from: try values.text("from"), to: try values.text("to"), at: try values.text(ifAny: "at"),
                times: times)
            return doing { try await $0.deliver(order) }
        },
        Verb(
            .client, "meddle", "the client sends commands, signed with its own good keys, about another's flow",
            [
                Value("victim", .actor(.client), isRequired: true, "whose flow: the newest"),
                Value("commands", .someOf(meddlingWords), isRequired: true, "what it sends, in this order"),
            ]
        ) { values throws(Fault) in
            let order = MeddlingOrder(
                values.actor, victim: try values.text("victim"),
                commands: try (values.texts(ifAny: "commands") ?? []).compactMap(CommandName.init))
            return doing { try await $0.meddle(order) }
        },
    ]

    /// Something that takes no values, and that no app can fail.
    private static func simple(
        _ name: String, _ summary: String,
        _ act: @escaping @Sendable (_ stage: any Stage, _ actor: String) async throws -> Void
    ) -> Verb {
        Verb(.anyActor, name, summary) { values throws(Fault) in
            let actor = values.actor
            return doing { try await act($0, actor) }
        }
    }

    /// An act that no app can fail.
    private static func doing(_ act: @escaping @Sendable (any Stage) async throws -> Void) -> ScriptAct {
        { stage in
            try await act(stage)
            return .done
        }
    }
}
