import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import Synchronization

/// Runs the product's programs on one home, and ends the ones that stay.
final class DeviceRunner: Sendable {
    let home: String
    let programs: DevicePrograms
    private let environment: Environment
    private let processes = LinuxChildProcesses()
    private let serving = Mutex<[any RunningChild]>([])

    init(home: String, programs: DevicePrograms, environment: Environment) {
        self.home = home
        self.programs = programs
        self.environment = environment
    }

    /// Runs `countersign-idp` to its end and returns what it printed as JSON.
    @discardableResult
    func idp(_ arguments: [String], input: Secret<String>? = nil) async throws -> JSONValue {
        try await run(programs.idp, arguments, input)
    }

    /// Runs `countersign-client` to its end and returns what it printed as JSON.
    @discardableResult
    func client(_ arguments: [String]) async throws -> JSONValue { try await run(programs.client, arguments, nil) }

    /// Starts the identity provider app and returns its ready line.
    func serveIDP(prompt: String, more: [String] = []) async throws -> JSONValue {
        try await serve(programs.idp, ["serve", "--json", "--prompt", prompt] + more)
    }

    /// Starts the client app and returns its ready line.
    func serveClient(prompt: String) async throws -> JSONValue {
        try await serve(programs.client, ["serve", "--json", "--prompt", prompt])
    }

    /// The process ids of the programs that serve.
    var servingProcesses: [Int32] { serving.withLock { $0.map(\.processID) } }

    /// Ends what serves, the last started first, and waits until it has gone.
    func stopAll() async {
        let all = serving.withLock { list in
            defer { list = [] }
            return list
        }
        for child in all.reversed() {
            child.signal(SIGTERM)
            _ = await child.exit()
        }
    }

    private func run(_ program: String, _ arguments: [String], _ input: Secret<String>?) async throws -> JSONValue {
        let end = try await finish(program, arguments, input: input)
        guard end.exit == .exited(0) else {
            let name = program.split(separator: "/").last ?? ""
            throw Fault(.demoFailed, "\(name) \(arguments.first ?? "") failed: \(end.errors)")
        }
        return end.json
    }

    /// Runs a program to its end, whatever that is.
    ///
    /// - Parameter variables: what its environment has beside this process's.
    func finish(
        _ program: String, _ arguments: [String], input: Secret<String>? = nil, variables: [String: String] = [:]
    ) async throws -> ProgramEnd {
        let child = try await processes.start(
            ChildCommand(
                program, ["--home", home] + arguments, environment: surrounding(variables),
                input: input.map { Array($0.unmasked.utf8) }))
        async let output = text(child.outputLines)
        async let errors = text(child.errorLines)
        let (printed, said) = (await output, await errors)
        return ProgramEnd(exit: await child.exit(), output: printed, errors: said)
    }

    private func serve(_ program: String, _ arguments: [String]) async throws -> JSONValue {
        try await serve(program, arguments, variables: [:]).ready
    }

    /// Starts a program that stays, and returns when it says that it is ready.
    ///
    /// - Throws: `demo-failed` when it ended before.
    func serve(
        _ program: String, _ arguments: [String], variables: [String: String]
    ) async throws -> (child: any RunningChild, ready: JSONValue) {
        let child = try await processes.start(
            ChildCommand(program, ["--home", home] + arguments, environment: surrounding(variables)))
        serving.withLock { $0.append(child) }
        for await line in child.outputLines {
            guard let ready = try? JSONValue(parsing: line) else { continue }
            return (child, ready)
        }
        throw Fault(.demoFailed, "A program ended before it was ready: \(await text(child.errorLines))")
    }

    /// Ends one program that serves, and waits until it has gone.
    func stop(_ child: any RunningChild) async {
        serving.withLock { list in list.removeAll { $0.processID == child.processID } }
        child.signal(SIGTERM)
        _ = await child.exit()
    }

    /// The environment of a child; `nil`: this process's.
    private func surrounding(_ variables: [String: String]) -> [String: String]? {
        variables.isEmpty ? nil : ProcessInfo.processInfo.environment.merging(variables) { $1 }
    }

    private func text(_ lines: AsyncStream<String>) async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }
}
