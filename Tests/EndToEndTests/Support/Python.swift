import FoundationEssentials
import Glibc
import Testing

/// A Python that has what the example client imports: the one that `COUNTERSIGN_PYTHON` names, else Debian's.
struct Python: Sendable {
    /// The packages that `scripts/setup --tests` installs for it.
    static let packages = "httpx, jeepney, jwcrypto, yaml"

    let path: String

    /// The first that has them all.
    static func find() async throws -> Python? {
        for path in [ProcessInfo.processInfo.environment["COUNTERSIGN_PYTHON"], "/usr/bin/python3"].compactMap(\.self)
        where access(path, X_OK) == 0 {
            let trial = try await RunningProgram.start(path, ["-c", "import \(packages)"], environment: [:])
            if await trial.ended().code == 0 { return Python(path: path) }
        }
        return nil
    }

    /// Starts a file of the repository.
    func start(_ file: String, _ arguments: [String], environment: [String: String]) async throws -> RunningProgram {
        // A folder of compiled modules in the repository would be nobody's.
        try await RunningProgram.start(
            path, [Repository.path(file)] + arguments,
            environment: environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 })
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where no Python has the packages.
    static var needsPython: Self {
        .enabled("no Python here has \(Python.packages): scripts/setup --tests") { try await Python.find() != nil }
    }
}
