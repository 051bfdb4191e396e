import Basics
import CLinux
import Glibc
import Platform
import Synchronization

@testable import LinuxPlatform

/// A terminal whose other end is the test's: what the person sees, and what the person types.
final class PseudoTerminal: Sendable {
    /// The end that a program has as its terminal.
    let terminal: Int32
    private let person: Int32
    private let thread = PollThread()
    private let seen = Mutex<[UInt8]>([])

    init() throws {
        person = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard person >= 0, grantpt(person) == 0, unlockpt(person) == 0 else { throw Fault(.fileUnavailable) }
        var name = [CChar](repeating: 0, count: 64)
        guard ptsname_r(person, &name, name.count) == 0 else { throw Fault(.fileUnavailable) }
        terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw Fault(.fileUnavailable) }
        let person = person
        thread.watch(person, for: POLLIN) { [weak self] _ in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(person, &bytes, bytes.count)
            guard count > 0 else { return .done }
            self?.seen.withLock { $0 += bytes[..<count] }
            return .again
        }
    }

    deinit {
        let (person, terminal) = (person, terminal)
        thread.unwatch(person) {
            close(person)
            close(terminal)
        }
        thread.stop()
    }

    /// All that the person has seen.
    var screen: String { String(decoding: seen.withLock { $0 }, as: UTF8.self) }

    /// Returns once the text has been shown; says whether it was.
    func shows(_ text: String) async throws -> Bool {
        try await becomesTrue { screen.contains(text) }
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(person, bytes, bytes.count)
    }

    /// Whether the terminal shows what is typed and waits for whole lines, as a shell leaves it.
    var isAsBefore: Bool {
        var mode = termios()
        tcgetattr(terminal, &mode)
        return mode.c_lflag & tcflag_t(ICANON) != 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    func dialogue(_ kind: String = "xterm") -> TerminalDialogue {
        TerminalDialogue(
            input: terminal, output: terminal, variables: ["TERM": kind, "NO_COLOR": "1"], environment: .live())
    }
}
