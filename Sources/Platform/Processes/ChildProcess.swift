/// What to start, and with what.
package struct ChildCommand: Sendable {
    /// The program's path, or a name to look for in the search path.
    package var program: String
    package var arguments: [String]
    /// The whole environment of the child; `nil` hands on this process's.
    package var environment: [String: String]?
    /// What the child reads; afterwards its input ends. `nil`: an empty input.
    package var input: [UInt8]?

    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: [UInt8]? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.input = input
    }
}

/// How a child ended.
package enum ChildExit: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
}

/// A running child process.
package protocol RunningChild: Sendable {
    var processID: Int32 { get }
    /// The child's standard output, line by line, until it ends.
    var outputLines: AsyncStream<String> { get }
    /// The child's standard error, line by line, until it ends.
    var errorLines: AsyncStream<String> { get }
    /// Writes to the child's standard input.
    func write(_ bytes: [UInt8]) async throws
    /// Closes the child's standard input.
    func closeInput() async
    /// Sends a signal to this child alone.
    func signal(_ number: Int32)
    /// Returns when the child has ended.
    func exit() async -> ChildExit
}

/// Starts child processes.
package protocol ChildProcesses: Sendable {
    /// Starts the child; throws `Fault` with `program-missing` when there is no such program.
    func start(_ command: ChildCommand) async throws -> any RunningChild
}
