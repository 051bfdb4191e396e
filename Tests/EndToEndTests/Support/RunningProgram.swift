import Basics
import Glibc
import LinuxPlatform
import Platform
import Synchronization
import TestSupport

/// A child process with everything it has said so far. It is always ended by its own id.
final class RunningProgram: Sendable {
    let line: String
    private let child: any RunningChild
    private let said: Said
    private let reading: Task<Void, Never>

    /// What a program wrote, line by line.
    private final class Said: Sendable {
        let lines = Mutex<(output: [String], errors: [String])>(([], []))
    }

    /// Starts a program.
    ///
    /// - Parameter input: what it reads; `nil` for an empty input.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String], input: String? = nil
    ) async throws -> RunningProgram {
        let child = try await LinuxChildProcesses().start(
            ChildCommand(program, arguments, environment: environment, input: input.map { Array($0.utf8) }))
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return RunningProgram(([name] + arguments).joined(separator: " "), child)
    }

    private init(_ line: String, _ child: any RunningChild) {
        self.line = line
        self.child = child
        let said = Said()
        self.said = said
        reading = Task {
            async let output: Void = {
                for await line in child.outputLines { said.lines.withLock { $0.output.append(line) } }
            }()
            async let errors: Void = {
                for await line in child.errorLines { said.lines.withLock { $0.errors.append(line) } }
            }()
            _ = await (output, errors)
        }
    }

    deinit { child.signal(SIGKILL) }

    var processID: Int32 { child.processID }
    var output: [String] { said.lines.withLock { $0.output } }
    var errors: [String] { said.lines.withLock { $0.errors } }

    func signal(_ number: Int32) { child.signal(number) }

    /// Waits for the program's end; one that is still there after `limit` is killed.
    func ended(within limit: Duration = .seconds(30)) async -> Finished {
        let watchdog = Task { [child] in
            try await Task.sleep(for: limit)
            child.signal(SIGKILL)
        }
        let exit = await child.exit()
        watchdog.cancel()
        await reading.value
        return Finished(line: line, exit: exit, output: output, errors: errors)
    }

    /// Asks it to stop, and waits.
    @discardableResult
    func stopped(by number: Int32 = SIGTERM) async -> Finished {
        signal(number)
        return await ended(within: .seconds(15))
    }

    /// The JSON object that it prints when it is ready.
    func ready() async throws -> JSONValue {
        try await eventually("“\(line)” is ready") { self.output.first }.parsed
    }
}

/// How a program ended, and all that it said.
struct Finished: Sendable, CustomStringConvertible {
    let line: String
    let exit: ChildExit
    let output: [String]
    let errors: [String]

    /// The exit code; -1 for a program that a signal ended.
    var code: Int32 { if case .exited(let code) = exit { code } else { -1 } }
    var text: String { output.joined(separator: "\n") }
    /// What is between the brackets of `error[…]`.
    var errorCode: String? {
        errors.lazy.compactMap { line in
            guard line.hasPrefix("error["), let end = line.firstIndex(of: "]") else { return nil }
            return String(line.dropFirst("error[".count).prefix(upTo: end))
        }.first
    }
    var nextStep: String? { errors.first { $0.hasPrefix("next: ") }.map { String($0.dropFirst("next: ".count)) } }

    var description: String {
        (["$ \(line)"] + output.map { "  \($0)" } + errors.map { "! \($0)" } + ["→ \(exit)"])
            .joined(separator: "\n")
    }

    /// The one JSON object of the output.
    func json() throws -> JSONValue { try (output.last ?? "").parsed }
}

extension String {
    /// The text as JSON.
    var parsed: JSONValue { get throws { try JSONValue(parsing: self) } }
}

/// What did not come about in time.
struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `value` gives something, which it must within `limit`.
@discardableResult
func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(15), _ value: () async throws -> Value?
) async throws -> Value {
    var patience = Patience(limit)
    repeat {
        if let value = try await value() { return value }
    } while try await patience.lasts()
    throw NeverHappened(description: "never: \(what)")
}
