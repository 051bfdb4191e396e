import Basics
import Glibc
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct CommandDialogueTests {
    private let environment = Environment.live()

    /// A prompt program that is a shell script; the question is in `$question`.
    private func dialogue(_ script: String) -> CommandDialogue {
        CommandDialogue(
            program: "/bin/sh", arguments: ["-c", "question=$(cat); \(script)"], processes: LinuxChildProcesses(),
            environment: environment)
    }

    @Test func `the program's choice and fields are the answer`() async throws {
        let answer = try await dialogue(
            """
            case $question in *'"kind":"sign-in"'*) echo '{"choice":"sign-in",';
            echo ' "fields":{"username":"bob","password":"päss"}}';; esac
            """
        ).ask(.signIn())
        #expect(answer.choice == "sign-in")
        #expect(answer.fields["username"]?.unmasked == "bob" && answer.fields["password"]?.unmasked == "päss")
    }

    @Test(.rule("A076"))
    func `a program that ends without an answer, fails, or dies has cancelled, whatever it left running`()
        async throws
    {
        for script in [
            "exit 0", "exit 3", "kill -KILL $$", "echo '{\"choice\":\"allow\"}'; exit 1", "echo '{\"cancel\":true}'",
            "echo ' '", "sleep 9 & kill -TERM $$",
        ] {
            await #expect(throws: Cancellation(by: .user), "\(script)") { try await dialogue(script).ask(.consent()) }
        }
        #expect(try await dialogue("echo '{\"choice\":\"allow\"}'").ask(.consent()).choice == "allow")
    }

    @Test func `an answer that is none of the choices, no JSON or too long is refused`() async throws {
        for script in [
            "echo '{\"choice\":\"no such\"}'", "echo allow", "echo '{\"choice\":\"later\"}'",
            "yes '                                        ' | head -c 200000",
        ] {
            await #expect(throws: Fault(.promptAnswerRefused), "\(script)") {
                try await dialogue(script).ask(.consent())
            }
        }
    }

    @Test func `at the deadline the question ends, and so does the program`() async throws {
        await #expect(throws: Fault(.deadlinePassed)) {
            try await dialogue("exec sleep 600").ask(.consent(ending: LiveClock.now() + .milliseconds(200)))
        }
        await #expect(throws: Fault(.deadlinePassed)) {
            try await dialogue("trap '' TERM; while :; do sleep 0.1; done").ask(
                .consent(ending: LiveClock.now() + .milliseconds(200)))
        }
        await #expect(throws: Fault(.deadlinePassed)) {
            try await dialogue("echo '{\"choice\":\"allow\"}'").ask(.consent(ending: LiveClock.now()))
        }
    }

    @Test func `an asker that no longer waits ends the program`() async throws {
        let asking = Task { try await dialogue("exec sleep 60").ask(.consent()) }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test func `a prompt program that is not there is program-missing`() async throws {
        let missing = CommandDialogue(
            program: "/nowhere/prompt", processes: LinuxChildProcesses(), environment: environment)
        await #expect(throws: Fault(.programMissing)) { try await missing.ask(.consent()) }
    }
}
