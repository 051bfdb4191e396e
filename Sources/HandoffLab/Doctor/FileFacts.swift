import FoundationEssentials
import Glibc

/// The size of a file in bytes; 0 where there is none.
func fileSize(_ path: String) -> Int64 {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
}

/// The text of a file; nothing where it cannot be read.
func fileText(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).flatMap { String(validating: $0, as: UTF8.self) }
}

/// The names in a folder, sorted.
func fileNames(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

/// The path with all links followed, where there is something; else as it is.
func realPath(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
}

/// All names below a folder, with their paths in it, sorted.
func fileTree(in folder: String) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
}
