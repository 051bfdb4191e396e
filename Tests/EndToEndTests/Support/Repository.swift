import FoundationEssentials

/// The files of the repository that the tests are in.
enum Repository {
    /// A file's text, by its path from the top.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: self.path(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where a file is, by its path from the top.
    static func path(_ path: String) -> String {
        #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/" + path
    }
}
