package import Basics
import CLinux
import Glibc
import Synchronization

/// A small file that only its owner can read: ours, mode 0600, not a link, replaced whole or not at all.
package struct PrivateFile: Sendable {
    /// Where it is.
    package let path: String

    /// Names a file; nothing is opened.
    package init(path: String) { self.path = path }

    /// The content, or `nil` when there is no such file.
    ///
    /// - Throws: `unsafe-permissions` or `unsafe-path` when others could have written or read it, `file-too-large`
    ///   above `limit` bytes, `file-unavailable` when it cannot be read.
    package func read(atMost limit: Int) throws(Fault) -> [UInt8]? {
        // O_NONBLOCK: a pipe put in the file's place must not hold us; it is refused below.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = countersign_errno()
            if error == ENOENT { return nil }
            throw SystemError.fault(error, "read", path)
        }
        defer { close(descriptor) }
        let status = try FileStatus.of(descriptor: descriptor, path)
        try status.requirePrivate(.file, path)
        guard status.size <= limit else { throw tooLarge(limit) }
        var content: [UInt8] = []
        content.reserveCapacity(status.size)
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return content }
            if count < 0 {
                let error = countersign_errno()
                if error == EINTR { continue }
                throw SystemError.fault(error, "read", path)
            }
            content += buffer[..<count]
            guard content.count <= limit else { throw tooLarge(limit) }
        }
    }

    /// Replaces the content.
    ///
    /// After a crash the file is the old one or the new one; it is on the disk once this returns.
    ///
    /// - Throws: `unsafe-path` when a folder or link stands there, `file-unavailable` when it cannot be written.
    package func write(_ content: [UInt8]) throws(Fault) {
        if let status = try FileStatus.of(path: path), status.form != .file {
            throw Fault(.unsafePath, "Not a plain file: \(path)")
        }
        let draft = try writeDraft(content)
        guard rename(draft, path) == 0 else {
            let error = countersign_errno()
            unlink(draft)
            throw SystemError.fault(error, "replace", path)
        }
        try directory.sync()
    }

    /// Writes the file only where there is none, and says whether it did; of several that try at once, one succeeds.
    package func create(_ content: [UInt8]) throws(Fault) -> Bool {
        let draft = try writeDraft(content)
        defer { unlink(draft) }
        guard link(draft, path) == 0 else {
            let error = countersign_errno()
            if error == EEXIST { return false }
            throw SystemError.fault(error, "make", path)
        }
        try directory.sync()
        return true
    }

    /// Removes the file; says whether there was one.
    @discardableResult
    package func remove() throws(Fault) -> Bool {
        guard unlink(path) == 0 else {
            let error = countersign_errno()
            if error == ENOENT { return false }
            throw SystemError.fault(error, "remove", path)
        }
        try directory.sync()
        return true
    }

    private var directory: PrivateDirectory {
        get throws(Fault) {
            let slash = path.lastIndex(of: "/")
            return try PrivateDirectory(existing: slash.map { String(path[..<$0]) } ?? ".")
        }
    }

    private func tooLarge(_ limit: Int) -> Fault {
        Fault(.fileTooLarge, "Longer than the \(limit) bytes that it may have: \(path)")
    }

    private static let drafts = Atomic<Int>(0)

    /// Writes the content to a new file beside this one, on the disk when it returns.
    private func writeDraft(_ content: [UInt8]) throws(Fault) -> String {
        let parent = try directory.path
        var draft: String
        var descriptor: Int32
        repeat {
            let number = PrivateFile.drafts.wrappingAdd(1, ordering: .relaxed).newValue
            draft = "\(parent)/.draft-\(getpid())-\(number)"
            // A name left by a killed process with our number is skipped, never written through.
            descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        } while descriptor < 0 && countersign_errno() == EEXIST
        guard descriptor >= 0 else { throw SystemError.fault(countersign_errno(), "make", draft) }
        defer { close(descriptor) }
        guard PrivateFile.writeAll(content, to: descriptor), fsync(descriptor) == 0 else {
            let error = countersign_errno()
            unlink(draft)
            throw SystemError.fault(error, "write", path)
        }
        return draft
    }

    /// Writes all bytes; on failure `errno` says why.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if countersign_errno() != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
