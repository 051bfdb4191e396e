import Basics
import FoundationEssentials

/// The Wycheproof test vectors (github.com/C2SP/wycheproof): the folder in `COUNTERSIGN_VECTORS`, else
/// `.build/vectors/wycheproof` in the package.
enum Wycheproof {
    private static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["COUNTERSIGN_VECTORS"] { return folder }
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return "/\(package)/.build/vectors/wycheproof"
    }()

    static let isThere = FileManager.default.fileExists(atPath: "\(folder)/json_web_signature_test.json")

    /// One test vector, with the group it stands in.
    struct Vector {
        let group: JSONValue
        let test: JSONValue

        var isValid: Bool { test["result"] == "valid" }
        var name: String { "\(test["tcId"]?.integerValue ?? 0) \(test["comment"]?.stringValue ?? "")" }

        func hex(_ name: String) -> [UInt8] { bytes(hex: test[name]?.stringValue ?? "") }
    }

    static func vectors(_ file: String) throws -> [Vector] {
        let content = try Data(contentsOf: URL(filePath: "\(folder)/\(file)_test.json"))
        let json = try JSONValue(parsing: content, limits: .init(bytes: 16_777_216, depth: 32))
        let groups = json["testGroups"]?.arrayValue ?? []
        return groups.flatMap { group in (group["tests"]?.arrayValue ?? []).map { Vector(group: group, test: $0) } }
    }
}
