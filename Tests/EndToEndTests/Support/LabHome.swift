import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import Synchronization
import Testing

/// A home in a temporary folder, with the programs that run in it. Nothing of the machine's own session is seen.
final class LabHome: Sendable {
    static let clientID = "org.countersign.client"
    static let idpID = "org.countersign.idp"

    let root: String
    private let isDefault: Bool
    private let sessionBus: String?
    private let variables: [String: String]
    private let running = Mutex<[RunningProgram]>([])

    /// Makes the folder; the home itself is made by the first program.
    ///
    /// - Parameters:
    ///   - isDefault: whether it is the user's default home, which programs find without `--home`.
    ///   - sessionBus: the address of a session bus that the programs are told of.
    ///   - variables: more that the programs are told.
    init(isDefault: Bool = false, sessionBus: String? = nil, variables: [String: String] = [:]) throws {
        self.variables = variables
        self.isDefault = isDefault
        self.sessionBus = sessionBus
        var template = Array("/tmp/countersign-e2e-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Fault(.internalFault, "no temporary folder") }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var path: String { root + (isDefault ? "/state/countersign" : "/home") }
    var layout: HomeLayout { HomeLayout(path: path) }

    /// The whole environment of the programs.
    var environment: [String: String] {
        var variables = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": root, "LANG": "C.UTF-8", "XDG_STATE_HOME": root + "/state",
            "XDG_RUNTIME_DIR": root,
        ]
        variables["DBUS_SESSION_BUS_ADDRESS"] = sessionBus
        // What scripts/rules takes out, where it runs the programs of its copy.
        variables["COUNTERSIGN_WITHOUT"] = getenv("COUNTERSIGN_WITHOUT").map { String(cString: $0) }
        return variables.merging(self.variables) { $1 }
    }

    // MARK: - Programs

    /// Starts a program in this home.
    func start(
        _ program: Program, _ arguments: [String], environment extra: [String: String] = [:], input: String? = nil
    ) async throws -> RunningProgram {
        let child = try await RunningProgram.start(
            program.path, arguments + (isDefault ? [] : ["--home", path]),
            environment: environment.merging(extra) { $1 }, input: input)
        running.withLock { $0.append(child) }
        return child
    }

    /// Runs a program to its end.
    func run(
        _ program: Program, _ arguments: [String], environment extra: [String: String] = [:], input: String? = nil
    ) async throws -> Finished {
        let child = try await start(program, arguments, environment: extra, input: input)
        let finished = await child.ended()
        running.withLock { $0.removeAll { $0 === child } }
        return finished
    }

    func idp(_ arguments: String...) async throws -> Finished { try await run(.idp, arguments) }

    func client(_ arguments: String...) async throws -> Finished { try await run(.client, arguments) }

    /// Starts `serve` and returns when it says that it is ready.
    func serve(
        _ program: Program, prompt: String, environment extra: [String: String] = [:]
    ) async throws -> RunningProgram {
        let serving = try await start(program, ["serve", "--json", "--prompt", prompt], environment: extra)
        _ = try await serving.ready()
        return serving
    }

    /// The address of the bus, from what `serving` said.
    func bus(of serving: RunningProgram) async throws -> String {
        try #require(try await serving.ready()["bus"]?.stringValue)
    }

    // MARK: - Users

    /// The password of every user here.
    static let password = "correct horse battery"

    /// A file with a text, which only its owner can read.
    func file(_ name: String, _ text: String) throws -> String {
        let path = root + "/" + name
        try PrivateFile(path: path).write(Array(text.utf8))
        return path
    }

    func addUser(_ name: String, password: String = LabHome.password) async throws {
        let file = try file("password-of-\(name)", password + "\n")
        try await idp("users", "add", name, "--password-file", file, "--email", "\(name)@example.com").expect(0)
    }

    /// Signs a user in at the identity provider app, which must serve.
    func signIn(_ name: String) async throws {
        try await idp("login", "--user", name, "--password-file", root + "/password-of-\(name)").expect(0)
    }

    // MARK: - What the programs leave

    /// The log of an app, an object for each line.
    func log(_ app: String) throws -> [JSONValue] {
        let path = layout.logs + "/" + app + ".jsonl"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { try String($0).parsed }
    }

    /// The last refusal in the client's log after its first `count` lines, once there is one.
    func refusal(after count: Int) async throws -> JSONValue {
        try await eventually("a refusal in the client's log") {
            try self.log(LabHome.clientID).dropFirst(count).last { $0["kind"] == "refused" }
        }
    }

    /// What the client says of its accounts: every account, the current one marked.
    func accounts(_ program: Program = .client) async throws -> [JSONValue] {
        let listed = try await run(program, ["accounts", "--json"]).expect(0).json()
        return try #require(listed["accounts"]?.arrayValue)
    }

    /// The user name of the client's current account.
    func currentUser() async throws -> String? {
        try await accounts().first { $0["current"] == true }?["username"]?.stringValue
    }

    // MARK: - End

    /// Stops what still runs and removes the folder.
    func end() async {
        for program in running.withLock({ $0 }).reversed() { await program.stopped() }
        try? FileManager.default.removeItem(atPath: root)
    }
}

/// Runs `body` in a home of its own, with these users.
func withLabHome<Result>(
    _ home: LabHome? = nil, users: [String] = ["alice"], _ body: (LabHome) async throws -> Result
) async throws -> Result {
    let home = try home ?? LabHome()
    do {
        for user in users { try await home.addUser(user) }
        let result = try await body(home)
        await home.end()
        return result
    } catch {
        await home.end()
        throw error
    }
}
