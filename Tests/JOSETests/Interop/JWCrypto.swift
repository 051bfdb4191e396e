import Basics
import FoundationEssentials
import Glibc

/// An independent JOSE library, behind a Python script: requests in, answers out.
enum JWCrypto {
    /// The Python that has jwcrypto: `COUNTERSIGN_PYTHON`, else the system's.
    private static let python = ProcessInfo.processInfo.environment["COUNTERSIGN_PYTHON"] ?? "python3"

    private static let script: String = {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(tests)/interop/jwcrypto_check.py"
    }()

    static let isThere = system("exec \(quoted(python)) -c 'import jwcrypto' >/dev/null 2>&1") == 0

    /// Asks everything at once, and returns an answer for each.
    static func answers(to requests: [JSONValue]) throws -> [JSONValue] {
        let folder = FileManager.default.temporaryDirectory.path
        let file = "\(folder)/countersign-jwcrypto-\(getpid()).jsonl"
        let lines = requests.map { $0.serializedText + "\n" }.joined()
        try lines.write(toFile: file, atomically: true, encoding: .utf8)
        defer { unlink(file) }
        guard let pipe = popen("exec \(quoted(python)) \(quoted(script)) < \(quoted(file))", "r") else {
            throw Fault(.internalFault)
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer.prefix(count) }
        guard pclose(pipe) == 0 else { throw Fault(.internalFault, "the script failed") }
        return try output.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
