import FoundationEssentials

/// The files of the repository that the tests are in.
enum Repository {
    /// A file's text, by its path from the top.
    static func text(_ path: String) -> String? {
        let top = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        return FileManager.default.contents(atPath: top + "/" + path).map { String(decoding: $0, as: UTF8.self) }
    }
}
