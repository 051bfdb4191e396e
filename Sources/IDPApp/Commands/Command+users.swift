import Basics
import CommandLineInterface
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

extension CommandLineInterface.Command {
    /// Adds a user, or gives one a new password.
    static let usersAdd = CommandLineInterface.Command(
        "users add", "add a user, or give one a new password",
        examples: [
            .init("countersign-idp users add alice", "ask for the password"),
            .init("countersign-idp users add alice --password-file FILE --email alice@example.com", "without asking"),
        ],
        positionals: [Positional("NAME", "the user's name")],
        options: [
            Option("--password-file", "FILE", values: .file, "the file that holds the password; - for standard input"),
            Option("--full-name", "NAME", "the person's name"), Option("--email", "ADDRESS", "the e-mail address"),
        ]
    ) { call in
        let name = try call.argument("NAME")
        var given = try call.readSecret("--password-file")
        if given == nil { given = try await askPassword(for: name, call) }
        guard let password = given else { throw Fault(.interactionRequired) }
        return try await Device.run(call) { device in
            _ = try await device.identityProvider()
            var claims: [String: JSONValue] = ["name": .string(call.option("--full-name") ?? name)]
            if let email = call.option("--email") {
                claims["email"] = .string(email)
                claims["email_verified"] = true
            }
            let user = try await device.putUser(name, password: password, claims: claims)
            call.output.result(
                ["username": .string(user.username), "subject": .string(user.subject.text)],
                text: "\(user.username) can sign in. Subject: \(user.subject)")
            return .done
        }
    }

    /// Lists the users.
    static let usersList = CommandLineInterface.Command(
        "users list", "list who can sign in", examples: [.init("countersign-idp users list", "")]
    ) { call in
        try await Device.run(call) { device in
            let users = try device.users()
            call.output.result(
                [
                    "users": .array(
                        users.map { ["username": .string($0.username), "subject": .string($0.subject.text)] })
                ],
                text: users.isEmpty
                    ? "No users. Add one: countersign-idp users add NAME"
                    : Output.table(["user", "subject"], users.map { [$0.username, $0.subject.text] }))
            return .done
        }
    }

    /// Removes a user.
    static let usersRemove = CommandLineInterface.Command(
        "users remove", "remove a user, and end all that was granted",
        examples: [.init("countersign-idp users remove alice", "")],
        positionals: [Positional("NAME", "the user's name")]
    ) { call in
        let name = try call.argument("NAME")
        return try await Device.run(call) { device in
            guard try await device.providerStore.write(.full, { try ProviderRegistry.removeUser(name, in: $0) }) else {
                throw Fault(.unknownUser)
            }
            call.output.result(["removed": .string(name)], text: "Removed \(name).")
            return .done
        }
    }
}

/// Asks for a new password at the terminal, where nothing else of a home is open yet.
private func askPassword(for name: String, _ call: Invocation) async throws -> Secret<String>? {
    guard call.mayAsk else {
        throw Fault(.interactionRequired, next: "Give the password in a file: --password-file FILE")
    }
    let environment = Environment.live(executor: nil)
    guard let dialogue = TerminalDialogue.standard(variables: call.environment, environment: environment) else {
        throw Fault(.interactionRequired, next: "Give the password in a file: --password-file FILE")
    }
    let answer = try await dialogue.ask(
        Question(
            .firstUser, title: "A password for \(name)", fields: [.init("password", "Password", isSecret: true)],
            choices: [.init("create", "Set the password")], deadline: environment.now() + .seconds(600)))
    return answer.fields["password"]
}
