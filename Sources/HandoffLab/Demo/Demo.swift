import Basics
import FoundationEssentials
import LinuxPlatform
package import Platform

/// The demonstration: a device in a home of its own, a bus, and both apps as separate processes; one login.
///
/// No rule is loosened for it: the questions are asked, and a script answers them.
package struct Demo: Sendable {
    private let plan: DemoPlan
    private let programs: DevicePrograms
    private let environment: Environment
    /// Takes each line of the story as it happens.
    private let tell: @Sendable (String) -> Void

    package static let user = "alice"

    package init(
        _ plan: DemoPlan, programs: DevicePrograms, environment: Environment, tell: @escaping @Sendable (String) -> Void
    ) {
        self.plan = plan
        self.programs = programs
        self.environment = environment
        self.tell = tell
    }

    /// Runs the demonstration and stops everything it started, whatever happens.
    package func run() async throws -> DemoResult {
        let place = try DemoPlace(keeping: plan.keptHome, environment: environment)
        let device = DeviceRunner(home: place.home, programs: programs, environment: environment)
        do {
            let plan = plan
            let result = try await environment.withDeadline(plan.timeout, orThrow: Fault(.deadlinePassed)) {
                try await show(device)
            }
            await device.stopAll()
            place.leave()
            return result
        } catch {
            await device.stopAll()
            place.leave()
            throw error
        }
    }

    private func show(_ device: DeviceRunner) async throws -> DemoResult {
        let password = Secret(environment.uuid())
        tell("A device of its own in \(device.home)")
        _ = try await device.idp(
            [
                "users", "add", Demo.user, "--full-name", "Alice Example", "--email", "alice@example.com",
                "--password-file", "-",
            ],
            input: password)
        let idpPrompt = plan.isInteractive ? "terminal" : "script:allow"
        let clientPrompt = plan.isInteractive ? "terminal" : "script:idp,switch"
        let idp = try await device.serveIDP(prompt: idpPrompt)
        tell("The identity provider app serves \(idp["issuer"]?.stringValue ?? "?")")
        let signedIn = try await device.idp(
            ["login", "--user", Demo.user, "--password-file", "-", "--json"], input: password)
        tell("\(signedIn["account"]?["username"]?.stringValue ?? "?") signed in there, once")
        let story = CommandStory(home: device.home)
        let start = environment.now()
        // With a person at the terminal the story waits, so that it does not write across a question.
        let telling = environment.spawn("story") { [tell, environment, isLive = !plan.isInteractive] in
            while isLive {
                for line in story.next() { tell(line) }
                try await environment.sleep(for: .milliseconds(10))
            }
        }
        let (account, flow) = try await logIn(device, clientPrompt)
        let elapsed = environment.now() - start
        let commands = try await settled(story)
        telling.cancel()
        _ = await telling.result
        for line in story.next() { tell(line) }
        let username = account["username"]?.stringValue ?? "?"
        tell(
            "\(username) is logged in to the client: an account of its own, subject \(account["subject"]?.stringValue ?? "?")"
        )
        return DemoResult(
            kind: plan.flow, flow: flow, issuer: account["issuer"]?.stringValue ?? "",
            subject: account["subject"]?.stringValue ?? "",
            username: username, commands: commands, elapsed: elapsed)
    }

    private func logIn(_ device: DeviceRunner, _ prompt: String) async throws -> (account: JSONValue, flow: String) {
        let (account, flow): (JSONValue?, JSONValue?)
        switch plan.flow {
        case .clientInitiated:
            let result = try await device.client(["login", "--json", "--prompt", prompt])
            (account, flow) = (result["account"], result["flow"])
        case .idpInitiated, .keychain:
            _ = try await device.serveClient(prompt: prompt)
            let keychain = plan.flow == .keychain ? ["--keychain"] : []
            flow = try await device.idp(["open", "org.countersign.client", "--json"] + keychain)["flow"]
            account = try await device.client(["--json"])["account"]
        }
        guard let account else { throw Fault(.demoFailed, "The client has no account.") }
        return (account, flow?.stringValue ?? "")
    }

    /// Waits for the last command, which the login does not wait for.
    private func settled(_ story: CommandStory) async throws -> [String] {
        for _ in 0..<100 {
            let commands = story.commands()
            if commands.last == "authack" { return commands }
            try await environment.sleep(for: .milliseconds(10))
        }
        return story.commands()
    }
}
