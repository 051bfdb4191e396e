import CLinux
import Glibc
import Platform
import Testing

@testable import LinuxPlatform

@Suite struct ParentWatchTests {
    @Test func `the end of the parent's pipe is told once, and not before`() async throws {
        let pipe = try #require(Pipe.make())
        let gone = Promise<Void>()
        #expect(ParentWatch.start(environment: ["COUNTERSIGN_PARENT_PIPE": "\(pipe.read)"]) { gone.fulfil() })
        // The watching thread has looked at the pipe once this job of the same thread has run.
        await withCheckedContinuation { continuation in PollThread.shared.perform { continuation.resume() } }
        #expect(gone.outcome == nil)
        close(pipe.write)
        try await gone.value()
    }

    @Test func `without an announced pipe nothing is watched`() {
        #expect(!ParentWatch.start(environment: [:]) {})
        #expect(!ParentWatch.start(environment: ["COUNTERSIGN_PARENT_PIPE": "x"]) {})
        #expect(!ParentWatch.start(environment: ["COUNTERSIGN_PARENT_PIPE": "1"]) {})
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(!ParentWatch.start(environment: ["COUNTERSIGN_PARENT_PIPE": "\(file)"]) {})
    }

    @Test func `a child that is told has the reading end of a pipe as descriptor 3`() async throws {
        let child = try await LinuxChildProcesses().start(ChildCommand("readlink", ["/proc/self/fd/3"]))
        var lines = child.outputLines.makeAsyncIterator()
        #expect(await lines.next()?.hasPrefix("pipe:") == true)
        #expect(await child.exit() == .exited(0))
    }
}
