import Basics
import Glibc
package import Platform

/// Asks at a terminal. Talk goes to the terminal itself, never to standard output.
///
/// The asker is shown by its registered name and key; what it says of itself is marked as not verified. One question
/// has the terminal at a time; the others wait for it until their deadline.
package final class TerminalDialogue: Dialogue {
    private let input: Int32
    private let output: Int32
    private let ownsDescriptor: Bool
    private let environment: Environment
    private let isPlain: Bool
    private let usesColour: Bool
    private let turn = DialogueTurn()

    /// Makes a dialogue at an open terminal.
    ///
    /// - Parameters:
    ///   - input: where keys are read.
    ///   - output: where the question is written.
    ///   - variables: the process's environment; `TERM` and `NO_COLOR` are looked at.
    package convenience init(
        input: Int32, output: Int32, variables: [String: String], environment: Environment
    ) {
        self.init(
            input: input, output: output, ownsDescriptor: false, variables: variables, environment: environment)
    }

    private init(
        input: Int32, output: Int32, ownsDescriptor: Bool, variables: [String: String], environment: Environment
    ) {
        self.input = input
        self.output = output
        self.ownsDescriptor = ownsDescriptor
        self.environment = environment
        isPlain = ["", "dumb"].contains(variables["TERM"] ?? "")
        usesColour = (variables["NO_COLOR"] ?? "").isEmpty
    }

    deinit { if ownsDescriptor { close(input) } }

    /// The dialogue at the terminal that controls this process, or at its standard input and error.
    ///
    /// - Returns: `nil` when there is no terminal.
    package static func standard(variables: [String: String], environment: Environment) -> TerminalDialogue? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        if terminal >= 0 {
            return TerminalDialogue(
                input: terminal, output: terminal, ownsDescriptor: true, variables: variables,
                environment: environment)
        }
        guard isAtTerminal else { return nil }
        return TerminalDialogue(input: 0, output: 2, variables: variables, environment: environment)
    }

    /// Whether somebody sits at this process: standard input and standard error are a terminal.
    package static var isAtTerminal: Bool { isatty(0) == 1 && isatty(2) == 1 }

    package func ask(_ question: Question) async throws -> Answer {
        let shown = question.shown
        return try await environment.untilDeadline(of: question) { [self] in
            try await turn.take { try await hold(shown) }
        }
    }

    private func hold(_ question: Question) async throws -> Answer {
        let session = TerminalSession(input: input, output: output)
        do {
            session.write(header(of: question, width: session.width))
            let (choice, fields) = try await run(question, in: session)
            return try question.checked(choice: choice, fields: fields)
        } catch let cancellation as Cancellation {
            session.write("Cancelled.\n")
            throw cancellation
        } catch is CancellationError {
            session.write("\r\nThis question has ended.\n")
            throw CancellationError()
        }
    }

    private func run(
        _ question: Question, in session: TerminalSession
    ) async throws -> (choice: String, fields: [String: String]) {
        if isPlain { return try await PlainPrompt(question: question, session: session, input: input).run() }
        let mode = try TerminalMode(.keys, of: input)
        defer { mode.restore() }
        let look = TerminalText(width: session.width, usesColour: usesColour)
        return try await TerminalPrompt(question: question, session: session, look: look).run()
    }

    private func header(of question: Question, width: Int) -> String {
        let look = TerminalText(width: width, usesColour: usesColour && !isPlain)
        var lines = ["", look.strong(question.title)]
        if let asker = question.asker {
            lines.append("  \(asker.name) · \(asker.id) · key \(asker.keyFingerprint)")
        }
        if let remark = question.unverifiedNameRemark { lines.append("  \(remark)") }
        lines += question.lines.map { "  \($0)" }
        if let problem = question.problem { lines.append("  ! \(problem)") }
        lines.append(look.faint("  " + question.remainingWords(at: environment.now())))
        return lines.joined(separator: "\n") + "\n"
    }
}
