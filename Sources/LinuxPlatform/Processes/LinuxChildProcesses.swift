import Basics
import Glibc
package import Platform

/// Starts child processes with posix_spawn.
///
/// A child gets its three standard descriptors and no other of ours, no blocked or ignored signals, and, where
/// wanted, descriptor 3: a pipe whose end means that this process has gone (`ParentWatch`). Its exit is always
/// collected, so no zombie stays.
package struct LinuxChildProcesses: ChildProcesses {
    private let tellsParentsEnd: Bool
    private let ownSession: Bool

    /// Makes a starter.
    ///
    /// - Parameters:
    ///   - tellsParentsEnd: whether children get the pipe of `ParentWatch`.
    ///   - ownSession: whether children leave the terminal's session, so that an interrupt typed there is not theirs.
    package init(tellsParentsEnd: Bool = true, ownSession: Bool = false) {
        self.tellsParentsEnd = tellsParentsEnd
        self.ownSession = ownSession
    }

    package func start(_ command: ChildCommand) async throws -> any RunningChild {
        try start(command, keepingInputOpen: false)
    }

    /// Starts a child whose input stays open for `write` until `closeInput`, also after `command.input`.
    package func start(_ command: ChildCommand, keepingInputOpen: Bool) throws -> any RunningChild {
        let needsInput = keepingInputOpen || command.input != nil
        let pipes = try ChildPipes(withInput: needsInput)
        var environment = command.environment ?? LinuxChildProcesses.inheritedEnvironment()
        let parentPipe = tellsParentsEnd ? ParentPipe.readEnd : nil
        environment[ParentPipe.variable] = parentPipe == nil ? nil : String(ParentPipe.childDescriptor)
        let spawn = ChildSpawn(
            program: command.program, arguments: command.arguments, environment: environment, pipes: pipes,
            parentPipe: parentPipe, ownSession: ownSession)
        let processID: Int32
        do {
            processID = try spawn.run()
        } catch {
            pipes.closeAll()
            throw error
        }
        pipes.closeChildEnds()
        let child = LinuxChild(processID: processID, pipes: pipes)
        if let input = command.input, !input.isEmpty { child.enqueueInput(input) }
        if needsInput, !keepingInputOpen { child.endInput() }
        return child
    }

    /// This process's environment.
    static func inheritedEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "="), equals != line.startIndex {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}
