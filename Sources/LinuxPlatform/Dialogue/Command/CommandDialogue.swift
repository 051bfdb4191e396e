import Basics
import Glibc
package import Platform

/// Asks through any program: the question as JSON on its standard input, its answer as JSON on its standard output.
///
/// A program that ends without an answer has cancelled. One that is still there at the deadline, or when the asker no
/// longer waits, is ended.
package struct CommandDialogue: Dialogue {
    private static let longestAnswer = 65_536
    /// How long the output of a program that has ended may be kept open by a child of its own.
    private static let patience = Duration.milliseconds(300)

    private let program: String
    private let arguments: [String]
    private let processes: any ChildProcesses
    private let environment: Environment

    /// Makes a dialogue that starts the program for each question.
    package init(
        program: String, arguments: [String] = [], processes: any ChildProcesses, environment: Environment
    ) {
        self.program = program
        self.arguments = arguments
        self.processes = processes
        self.environment = environment
    }

    package func ask(_ question: Question) async throws -> Answer {
        let input = Array((question.shown.json.serializedText + "\n").utf8)
        let output: String? = try await environment.untilDeadline(of: question) { try await run(input) }
        return try answer(to: question, from: output)
    }

    private func run(_ input: [UInt8]) async throws -> String? {
        let child = try await processes.start(ChildCommand(program, arguments, input: input))
        return try await withTaskCancellationHandler {
            try await self.output(of: child)
        } onCancel: {
            end(child)
        }
    }

    private func answer(to question: Question, from output: String?) throws -> Answer {
        guard let output, output.contains(where: { !$0.isWhitespace }) else { throw Cancellation(by: .user) }
        guard let json = try? JSONValue(parsing: output) else {
            throw Fault(.promptAnswerRefused, "The prompt program's answer is not JSON.")
        }
        return try question.answer(from: json)
    }

    private enum Event {
        case exited(ChildExit)
        case output(String)
        case errorsEnded
        case patienceEnded
    }

    /// What the program wrote, once it has ended well; `nil` when it ended in any other way.
    private func output(of child: any RunningChild) async throws -> String? {
        try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask { .exited(await child.exit()) }
            group.addTask {
                do {
                    return .output(try await CommandDialogue.collect(child.outputLines))
                } catch {
                    // The group waits for the program's end.
                    end(child)
                    throw error
                }
            }
            group.addTask {
                // Read, so that a program that says much does not stop; what it says is its own affair.
                for await _ in child.errorLines {}
                return .errorsEnded
            }
            defer { group.cancelAll() }
            var written: String?
            var hasExited = false
            while let event = try await group.next() {
                switch event {
                case .exited(.exited(0)):
                    hasExited = true
                    group.addTask {
                        try await environment.sleep(for: CommandDialogue.patience)
                        return .patienceEnded
                    }
                case .exited: return nil
                case .output(let text): written = text
                case .errorsEnded: break
                case .patienceEnded: if hasExited { return written }
                }
                if hasExited, let written { return written }
            }
            return written
        }
    }

    private static func collect(_ lines: AsyncStream<String>) async throws -> String {
        var text = ""
        for await line in lines {
            text += line + "\n"
            guard text.utf8.count <= longestAnswer else {
                throw Fault(.promptAnswerRefused, "The prompt program's answer is too long.")
            }
        }
        try Task.checkCancellation()
        return text
    }

    private func end(_ child: any RunningChild) {
        child.signal(SIGTERM)
        Task.detached(name: "end of a prompt program") {
            try? await Task.sleep(for: .milliseconds(500))
            child.signal(SIGKILL)
        }
    }
}
