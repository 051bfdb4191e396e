import Basics
import CLinux
import Glibc

/// What the kernel says of a path or an open file, and the rule for private ones.
struct FileStatus {
    enum Form { case file, directory, other }

    let form: Form
    let size: Int
    let inode: UInt64
    let device: UInt64
    private let owner: uid_t
    private let mode: mode_t

    private init(_ status: stat) {
        form =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        size = Int(status.st_size)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        owner = status.st_uid
        mode = status.st_mode & 0o7777
    }

    /// The status of what stands at `path`, links not followed; `nil` when nothing does.
    static func of(path: String) throws(Fault) -> FileStatus? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileStatus(status) }
        let error = countersign_errno()
        if error == ENOENT { return nil }
        throw SystemError.fault(error, "look at", path)
    }

    /// The status of an open file.
    static func of(descriptor: Int32, _ path: String) throws(Fault) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.fault(countersign_errno(), "look at", path) }
        return FileStatus(status)
    }

    /// Whether both are the same file.
    func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }

    /// Refuses what is not of that form, not ours, or open to others.
    func requirePrivate(_ wanted: Form, _ path: String) throws(Fault) {
        guard form == wanted else {
            let what = wanted == .directory ? "folder" : "plain file"
            throw Fault(.unsafePath, "Not a \(what): \(path)")
        }
        guard owner == geteuid() else {
            throw Fault(
                .unsafePermissions, "It belongs to another user: \(path)",
                next: "Use a home of your own with --home, or have it given to you with chown.")
        }
        guard mode & 0o077 == 0 else {
            let right = wanted == .directory ? "700" : "600"
            throw Fault(
                .unsafePermissions, "Other users can reach it (mode \(String(mode, radix: 8))): \(path)",
                next: "Make it yours alone: chmod \(right) \(shellQuoted(path))")
        }
    }

    private func shellQuoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        if plain { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
