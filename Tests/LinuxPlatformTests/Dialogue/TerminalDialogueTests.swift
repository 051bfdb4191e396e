import Basics
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct TerminalDialogueTests {
    private static let hint = "Escape cancels."

    @Test func `the arrow keys move, and Return takes`() async throws {
        let terminal = try PseudoTerminal()
        let asking = Task { try await terminal.dialogue().ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        #expect(!terminal.isAsBefore)
        terminal.type("\u{1B}[B")
        #expect(try await terminal.shows("> Choose another account"))
        terminal.type("\r")
        #expect(try await asking.value.choice == "other")
        #expect(terminal.isAsBefore)
    }

    @Test func `the asker is shown by its registered name and key, its own name as not verified, with the deadline`()
        async throws
    {
        let terminal = try PseudoTerminal()
        let asking = Task { try await terminal.dialogue().ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        let screen = terminal.screen
        #expect(screen.contains("Notes · com.example.notes · key 7f3a 91c0 5e2d"))
        #expect(screen.contains("It calls itself “Notes Pro”. That name is not verified."))
        #expect(screen.contains("This request ends in "))
        terminal.type("\r")
        #expect(try await asking.value.choice == "allow")
    }

    @Test(.rule("T46")) func `a choice that cannot be taken says why and stays`() async throws {
        let terminal = try PseudoTerminal()
        let asking = Task { try await terminal.dialogue().ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        terminal.type("3\r")
        #expect(try await terminal.shows("Not now: it was asked today"))
        terminal.type("1\r")
        #expect(try await asking.value.choice == "allow")
    }

    @Test(arguments: ["\u{1B}", "\u{4}", "4\r"])
    func `Escape, the end of input and the last line cancel, and the terminal is as before`(_ keys: String)
        async throws
    {
        let terminal = try PseudoTerminal()
        let asking = Task { try await terminal.dialogue().ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        terminal.type(keys)
        await #expect(throws: Cancellation(by: .user)) { try await asking.value }
        #expect(terminal.isAsBefore)
    }

    @Test func `a secret is typed unseen, and other fields can be edited`() async throws {
        let terminal = try PseudoTerminal()
        let asking = Task { try await terminal.dialogue().ask(.signIn(problem: "Wrong.")) }
        #expect(try await terminal.shows("User name: alice"))
        #expect(terminal.screen.contains("! Wrong."))
        terminal.type("\u{15}böx\u{7F}b\r")
        #expect(try await terminal.shows("Password (hidden): "))
        terminal.type("pässwörd\r")
        let answer = try await asking.value
        #expect(answer.choice == "sign-in")
        #expect(answer.fields["username"]?.unmasked == "böb")
        #expect(answer.fields["password"]?.unmasked == "pässwörd")
        #expect(!terminal.screen.contains("pässw"))
    }

    @Test func `what was typed before the question was seen does not answer it`() async throws {
        let terminal = try PseudoTerminal()
        terminal.type("\r\r\r")
        let asking = Task { try await terminal.dialogue().ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        terminal.type("2")
        #expect(try await terminal.shows("> Choose another account"))
        terminal.type("\r")
        #expect(try await asking.value.choice == "other")
    }

    @Test func `the deadline and a cancelled asker end the question without a key, and the terminal is as before`()
        async throws
    {
        let terminal = try PseudoTerminal()
        let dialogue = terminal.dialogue()
        await #expect(throws: Fault(.deadlinePassed)) {
            try await dialogue.ask(.consent(ending: LiveClock.now() + .milliseconds(300)))
        }
        #expect(terminal.isAsBefore)
        let asking = Task { try await dialogue.ask(.signIn()) }
        #expect(try await terminal.shows("User name: "))
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(terminal.isAsBefore)
    }

    @Test func `one question has the terminal at a time`() async throws {
        let terminal = try PseudoTerminal()
        let dialogue = terminal.dialogue()
        let first = Task { try await dialogue.ask(.consent()) }
        #expect(try await terminal.shows(Self.hint))
        let second = Task { try await dialogue.ask(.signIn()) }
        let third = Task { try await dialogue.ask(.signIn()) }
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        #expect(!terminal.screen.contains("User name"))
        terminal.type("\r")
        #expect(try await first.value.choice == "allow")
        #expect(try await terminal.shows("User name: "))
        terminal.type("\r")
        #expect(try await terminal.shows("Password"))
        terminal.type("x\r")
        #expect(try await second.value.choice == "sign-in")
    }

    @Test(.rule("A159")) func `a dumb terminal gets numbers and lines, and hidden secrets`() async throws {
        let terminal = try PseudoTerminal()
        let dialogue = terminal.dialogue("dumb")
        let asking = Task { try await dialogue.ask(.consent()) }
        #expect(try await terminal.shows("Number [1]: "))
        terminal.type("9\n")
        #expect(try await terminal.shows("Type one of the numbers."))
        terminal.type("3\n")
        #expect(try await terminal.shows("Not now: it was asked today"))
        terminal.type("2\n")
        #expect(try await asking.value.choice == "other")
        #expect(!terminal.screen.contains("\u{1B}["))
        let signingIn = Task { try await dialogue.ask(.signIn()) }
        #expect(try await terminal.shows("User name [alice]: "))
        terminal.type("\n")
        #expect(try await terminal.shows("Password: "))
        #expect(try await becomesTrue { !terminal.isAsBefore })
        terminal.type("s3cr3t\n")
        let answer = try await signingIn.value
        #expect(answer.fields["username"]?.unmasked == "alice" && answer.fields["password"]?.unmasked == "s3cr3t")
        #expect(!terminal.screen.contains("s3cr3t"))
        #expect(terminal.isAsBefore)
    }

    @Test func `without a terminal a person cannot be asked`() async throws {
        let pipe = try #require(Pipe.make())
        defer { pipe.closeBoth() }
        let dialogue = TerminalDialogue(
            input: pipe.read, output: pipe.write, variables: ["TERM": "xterm"], environment: .live())
        await #expect(throws: Fault(.interactionRequired)) { try await dialogue.ask(.consent()) }
    }

    @Test func `keys are read from bytes that come in pieces`() {
        var reader = TerminalKeyReader()
        #expect(reader.read([0x1B, 0x5B]) == [])
        #expect(reader.read([0x41]) == [.up])
        #expect(reader.read([0xC3]) == [])
        #expect(reader.read([0xA4, 0x0D, 0x01]) == [.text("ä"), .enter])
        #expect(reader.read(Array("\u{1B}[5~\u{1B}OB\u{1B}".utf8)) == [.down, .escape])
        #expect(reader.read([0xFF, 0x61]) == [.text("a")])
    }
}
