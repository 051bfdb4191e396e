import FoundationEssentials
import Glibc

/// A private folder in the temporary folder, gone with its last holder.
final class StorageFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/countersign-storage-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StorageFolderError() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(of name: String) -> String { path + "/" + name }

    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
    }

    func set(_ name: String, to bytes: [UInt8], mode: mode_t = 0o600) throws {
        try Data(bytes).write(to: URL(filePath: path(of: name)))
        chmod(path(of: name), mode)
    }

    func remove(_ name: String) { unlink(path(of: name)) }

    func exists(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

    func mode(of name: String) -> mode_t {
        var status = stat()
        lstat(path(of: name), &status)
        return status.st_mode & 0o7777
    }
}

private struct StorageFolderError: Error {}
