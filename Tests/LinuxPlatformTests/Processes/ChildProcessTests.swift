import Basics
import Glibc
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct ChildProcessTests {
    private let processes = LinuxChildProcesses()

    private func shell(_ script: String, _ arguments: String...) -> ChildCommand {
        ChildCommand("/bin/sh", ["-c", script, "sh"] + arguments)
    }

    private func lines(_ stream: AsyncStream<String>) async -> [String] {
        var lines: [String] = []
        for await line in stream { lines.append(line) }
        return lines
    }

    @Test func `output, error output and exit code of a child come back`() async throws {
        let child = try await processes.start(shell("echo one; printf 'two\\nthree'; echo bad >&2; exit 7"))
        #expect(await lines(child.outputLines) == ["one", "two", "three"])
        #expect(await lines(child.errorLines) == ["bad"])
        #expect(await child.exit() == .exited(7))
    }

    @Test(.rule("A008")) func `arguments arrive as they are, without a shell between`() async throws {
        let odd = ["a b", "$HOME", "'", "\"", "*", "é 李", ""]
        let child = try await processes.start(ChildCommand("printf", ["<%s>\\n"] + odd))
        #expect(await lines(child.outputLines) == odd.map { "<\($0)>" })
        _ = await child.exit()
    }

    @Test func `the exit is told to everyone who waits, and again afterwards`() async throws {
        let child = try await processes.start(shell("exit 3"))
        async let one = child.exit()
        async let two = child.exit()
        #expect(await [one, two] == [.exited(3), .exited(3)])
        #expect(await child.exit() == .exited(3))
    }

    @Test func `a program that is not there is program-missing, and one that is not executable cannot be started`()
        async throws
    {
        await #expect(throws: Fault(.programMissing)) {
            _ = try await processes.start(ChildCommand("/nowhere/no-such-program"))
        }
        await #expect(throws: Fault(.programMissing)) {
            _ = try await processes.start(ChildCommand("no-such-program-of-ours"))
        }
        await #expect(throws: Fault(.programNotStarted)) { _ = try await processes.start(ChildCommand("/etc/passwd")) }
        let child = try await processes.start(ChildCommand("true"))
        #expect(await child.exit() == .exited(0))
    }

    @Test func `a signal ends this child and not its neighbour`() async throws {
        let one = try await processes.start(ChildCommand("sleep", ["600"]))
        let two = try await processes.start(ChildCommand("sleep", ["600"]))
        one.signal(SIGTERM)
        #expect(await one.exit() == .signalled(SIGTERM))
        #expect(kill(two.processID, 0) == 0)
        two.signal(SIGKILL)
        #expect(await two.exit() == .signalled(SIGKILL))
        // Collected: no zombie has its number.
        #expect(kill(one.processID, 0) == -1)
        one.signal(SIGKILL)
    }

    @Test func `input that is given is read to its end, and none given is an empty one`() async throws {
        let text = String(repeating: "0123456789abcde\n", count: 40_000)
        let counting = try await processes.start(ChildCommand("wc", ["-c"], input: Array(text.utf8)))
        #expect(await lines(counting.outputLines).map { $0.filter { $0 != " " } } == ["640000"])
        let empty = try await processes.start(ChildCommand("cat"))
        #expect(await lines(empty.outputLines) == [])
        #expect(await empty.exit() == .exited(0))
    }

    @Test func `input can be written while the child runs, until it is closed`() async throws {
        let child = try processes.start(ChildCommand("cat"), keepingInputOpen: true)
        var output = child.outputLines.makeAsyncIterator()
        try await child.write(Array("first\n".utf8))
        #expect(await output.next() == "first")
        try await child.write(Array("second\n".utf8))
        #expect(await output.next() == "second")
        await child.closeInput()
        #expect(await output.next() == nil)
        #expect(await child.exit() == .exited(0))
        await #expect(throws: Fault(.childInputClosed)) { try await child.write([1]) }
    }

    @Test func `writing to a child that has gone is a fault, not the end of this process`() async throws {
        let child = try processes.start(ChildCommand("true"), keepingInputOpen: true)
        _ = await child.exit()
        await #expect(throws: Fault(.childInputClosed)) { try await child.write(Array(repeating: 0, count: 200_000)) }
    }

    @Test func `a child has the descriptors that it is given and no other`() async throws {
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        let listing = shell("for n in $(seq 0 200); do if [ -e /proc/$$/fd/$n ]; then echo $n; fi; done")
        let told = try await processes.start(listing)
        #expect(await lines(told.outputLines) == ["0", "1", "2", "3"])
        let untold = try await LinuxChildProcesses(tellsParentsEnd: false).start(listing)
        #expect(await lines(untold.outputLines) == ["0", "1", "2"])
        _ = (await told.exit(), await untold.exit())
    }

    @Test func `a child starts with no signal blocked or ignored`() async throws {
        let child = try await processes.start(ChildCommand("grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"]))
        // Numbers 32 and 33 belong to the C library, which ignores them in what it spawns.
        let ownOfLibrary: UInt64 = 0x1_8000_0000
        let masks = await lines(child.outputLines).map { UInt64($0.split(separator: "\t").last ?? "", radix: 16) ?? 1 }
        #expect(masks.map { $0 & ~ownOfLibrary } == [0, 0])
        _ = await child.exit()
    }

    @Test func `the environment is this process's, or the one given, with the parent's pipe announced`() async throws {
        let given = try await processes.start(ChildCommand("/usr/bin/env", environment: ["A": "é=b"]))
        #expect(await lines(given.outputLines).sorted() == ["A=é=b", "COUNTERSIGN_PARENT_PIPE=3"])
        let bare = LinuxChildProcesses(tellsParentsEnd: false)
        let untold = try await bare.start(
            ChildCommand("/usr/bin/env", environment: ["B": "", "COUNTERSIGN_PARENT_PIPE": "3"]))
        #expect(await lines(untold.outputLines) == ["B="])
        let inherited = try await processes.start(shell("echo ${PATH:+there}"))
        #expect(await lines(inherited.outputLines) == ["there"])
    }
}
