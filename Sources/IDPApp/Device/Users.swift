import Basics
import CommandLineInterface
import IdentityBroker
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

/// The people who can sign in at the home's provider.
extension Device {
    /// Writes a user; one that is there keeps the subject and gets the new password.
    func putUser(_ name: String, password: Secret<String>, claims: [String: JSONValue]) async throws -> RegisteredUser {
        let salt = environment.randomBytes(16)
        let hash = try await environment.offload { try PasswordHash(of: password, salt: salt) }
        let subject = try Subject(Base64URL.encode(environment.randomBytes(16)))
        let now = environment.now()
        return try await providerStore.write(.full) { transaction in
            try ProviderRegistry.putUser(
                name, password: hash, claims: claims, subject: subject, now: now, in: transaction)
        }
    }

    /// Every user, sorted by name.
    func users() throws -> [RegisteredUser] { try providerStore.read { try ProviderRegistry.users(in: $0) } }

    /// Whether questions go to a program or a page, so that no terminal is needed.
    private func asksElsewhere(_ call: Invocation) -> Bool {
        guard let prompt = call.option("--prompt") else { return false }
        return prompt.hasPrefix("command:") || prompt == "web" && !call.asksNobody
    }

    /// Refuses a home in which nobody can sign in and nobody can be asked.
    ///
    /// - Throws: `no-users`.
    func requireSomebody(_ call: Invocation) throws {
        guard try users().isEmpty else { return }
        guard call.mayAsk || asksElsewhere(call) else { throw Fault(.noUsers) }
    }

    /// Asks for the first user where there is none: a home in which nobody can sign in is a dead end.
    func ensureUser(_ call: Invocation, _ dialogue: any Dialogue) async throws {
        guard try users().isEmpty else { return }
        var problem: String?
        while true {
            let answer = try await dialogue.ask(
                Question(
                    .firstUser, title: "Who signs in here?",
                    lines: ["This home has no user yet. Choose a name and a password for the first."],
                    problem: problem,
                    fields: [
                        .init("username", "User name"), .init("password", "Password", isSecret: true),
                        .init("again", "Password again", isSecret: true),
                    ],
                    choices: [.init("create", "Create the user")], deadline: environment.now() + .seconds(600)))
            let name = answer.fields["username"]?.unmasked ?? ""
            guard let password = answer.fields["password"], password.unmasked.utf8.count >= 4 else {
                problem = "A password has at least four characters."
                continue
            }
            guard password == answer.fields["again"] else {
                problem = "The two passwords differ."
                continue
            }
            do {
                let user = try await putUser(name, password: password, claims: [:])
                call.output.talk("\(user.username) can sign in now.")
                return
            } catch let fault as Fault where fault.code.kind != .environment {
                problem = fault.text
            }
        }
    }
}
