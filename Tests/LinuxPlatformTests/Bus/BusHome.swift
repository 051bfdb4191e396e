import Basics
import Glibc
import Platform
import TestSupport

@testable import LinuxPlatform

/// A home in a folder of its own, with a private bus; `with` leaves nothing behind.
struct BusHome: Sendable {
    let path: String
    /// What the processes of this home have as their environment.
    let variables: [String: String]

    /// Runs `body` in a new home.
    static func with<Result: Sendable>(_ body: (BusHome) async throws -> Result) async throws -> Result {
        var template = Array("/tmp/countersign-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Fault(.fileUnavailable) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let home = BusHome(path: path, variables: ["XDG_RUNTIME_DIR": path])
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(home)) } catch { result = .failure(error) }
        _ = await run("rm", "-rf", path)
        return try result.get()
    }

    func join(
        _ selection: BusSelection? = nil, isDefault: Bool = false, variables: [String: String]? = nil,
        keeper: [String]? = nil
    ) async throws -> HomeBus {
        try await HomeBus.join(
            home: path, isDefaultHome: isDefault, selection: selection, variables: variables ?? self.variables,
            keeper: keeper)
    }

    func record() throws -> BusRecord? { try BusFolder(home: path).record() }

    /// Runs `body` with the home's bus and a loop for connections to it.
    func withBus<Result: Sendable>(_ body: (String, EventLoop) async throws -> Result) async throws -> Result {
        let bus = try await join()
        let loop = try EventLoop.start(name: "bus test")
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(bus.address, loop)) } catch { result = .failure(error) }
        await bus.leave()
        loop.stop()
        return try result.get()
    }

    /// Runs a program to its end, and returns what it wrote.
    static func run(_ program: String, _ arguments: String...) async -> (exit: ChildExit, output: String) {
        guard
            let child = try? await LinuxChildProcesses(tellsParentsEnd: false).start(
                ChildCommand(program, arguments))
        else { return (.exited(-1), "") }
        var output: [String] = []
        for await line in child.outputLines { output.append(line) }
        var errors: [String] = []
        for await line in child.errorLines { errors.append(line) }
        return (await child.exit(), (output + errors).joined(separator: "\n"))
    }
}

/// Returns once the condition holds; says whether it came to that.
func becomesTrue(_ condition: () async throws -> Bool) async throws -> Bool {
    // Far longer than it takes: only a bound, on a machine that runs every test at once.
    var patience = Patience(.seconds(120))
    repeat {
        if try await condition() { return true }
    } while try await patience.lasts()
    return false
}
