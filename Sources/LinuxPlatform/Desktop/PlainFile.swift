import Basics
import CLinux
import Glibc

/// A small file that other programs read too: replaced whole or not at all, with the permissions that files have.
struct PlainFile {
    let path: String

    private static let limit = 1 << 20

    /// The content, or `nil` where there is no such file.
    func read() throws(Fault) -> String? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = countersign_errno()
            if error == ENOENT || error == ENOTDIR { return nil }
            throw SystemError.fault(error, "read", path)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0 {
                let error = countersign_errno()
                if error == EINTR { continue }
                throw SystemError.fault(error, "read", path)
            }
            bytes += buffer[..<count]
            guard bytes.count <= PlainFile.limit else { throw Fault(.fileTooLarge, "Longer than 1 MiB: \(path)") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces the content, through a link to the file that it names; makes the folders that are missing and returns
    /// them, the outermost first.
    @discardableResult
    func write(_ text: String) throws(Fault) -> [String] {
        let target = Home.resolved(path)
        let made = try PlainFile.makeFolder(String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)]))
        let draft = "\(target).\(getpid()).draft"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError.fault(countersign_errno(), "make", draft) }
        let isWritten = PrivateFile.writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
        let error = countersign_errno()
        close(descriptor)
        guard isWritten else {
            unlink(draft)
            throw SystemError.fault(error, "write", target)
        }
        guard rename(draft, target) == 0 else {
            let error = countersign_errno()
            unlink(draft)
            throw SystemError.fault(error, "replace", target)
        }
        return made
    }

    /// Removes the file; says whether there was one.
    @discardableResult
    func remove() throws(Fault) -> Bool {
        guard unlink(path) == 0 else {
            let error = countersign_errno()
            if error == ENOENT || error == ENOTDIR { return false }
            throw SystemError.fault(error, "remove", path)
        }
        return true
    }

    /// The names of what is in a folder, sorted; none where there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.sorted()
    }

    /// Makes a folder with those above it where they are missing; returns those that were made.
    private static func makeFolder(_ path: String) throws(Fault) -> [String] {
        if path.isEmpty || access(path, F_OK) == 0 { return [] }
        let made = try makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        guard mkdir(path, 0o755) == 0 || countersign_errno() == EEXIST else {
            throw SystemError.fault(countersign_errno(), "make", path)
        }
        return made + [path]
    }
}
