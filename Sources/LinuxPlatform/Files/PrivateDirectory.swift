package import Basics
import CLinux
import Glibc

/// A folder that only its owner can enter: ours, mode 0700, not a link.
package struct PrivateDirectory: Sendable, Equatable {
    /// Where it is.
    package let path: String

    /// Makes the folder with those above it where they are missing, each 0700, and checks the last.
    ///
    /// - Throws: `unsafe-permissions` when it is not the user's own and closed to others, `unsafe-path` when it is a
    ///   link or no folder, `file-unavailable` when it cannot be made.
    package init(creating path: String) throws(Fault) {
        try PrivateDirectory.make(path)
        try self.init(existing: path)
    }

    /// Checks a folder that must be there.
    ///
    /// - Throws: as `init(creating:)`.
    package init(existing path: String) throws(Fault) {
        guard let status = try FileStatus.of(path: path) else { throw SystemError.fault(ENOENT, "open", path) }
        try status.requirePrivate(.directory, path)
        self.path = path
    }

    /// The path of a file in the folder.
    package func path(of name: String) -> String { path + "/" + name }

    /// The private file of that name.
    package func file(_ name: String) -> PrivateFile { PrivateFile(path: path(of: name)) }

    /// The names of everything in the folder, sorted; hidden ones are left out.
    package func names() throws(Fault) -> [String] {
        guard let listing = opendir(path) else { throw SystemError.fault(countersign_errno(), "list", path) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Runs `body` while no other process or thread does so for the same folder.
    ///
    /// The lock ends with the process that holds it, so it cannot be left behind.
    package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try openForSync()
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            let error = countersign_errno()
            guard error == EINTR else { throw SystemError.fault(error, "lock", path) }
        }
        return try body()
    }

    /// Puts the names in the folder on the disk.
    func sync() throws(Fault) {
        let descriptor = try openForSync()
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError.fault(countersign_errno(), "write", path) }
    }

    private func openForSync() throws(Fault) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.fault(countersign_errno(), "open", path) }
        return descriptor
    }

    private static func make(_ path: String) throws(Fault) {
        if mkdir(path, 0o700) == 0 { return }
        let error = countersign_errno()
        switch error {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { break }
            try make(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 || countersign_errno() == EEXIST { return }
        default: break
        }
        throw SystemError.fault(error, "make", path)
    }
}
