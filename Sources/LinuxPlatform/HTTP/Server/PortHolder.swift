import Glibc

/// Finds the program that listens at a TCP port, as far as /proc shows it to this user.
package enum PortHolder {
    /// Name and process number of the holder, such as `nginx (process 4711)`.
    package static func find(port: UInt16) -> String? {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listeners(in: $0, port: port) })
        guard !sockets.isEmpty else { return nil }
        for process in numbers(in: "/proc") {
            let folder = "/proc/\(process)/fd"
            for descriptor in numbers(in: folder) {
                guard let target = link("\(folder)/\(descriptor)"), sockets.contains(target) else { continue }
                let name = contents("/proc/\(process)/comm").prefix { $0 != "\n" }
                return name.isEmpty ? "process \(process)" : "\(name) (process \(process))"
            }
        }
        return nil
    }

    /// The sockets that listen at the port, as a descriptor's link names them: `socket:[12345]`.
    private static func listeners(in table: String, port: UInt16) -> [String] {
        contents(table).split(separator: "\n").dropFirst().compactMap { line in
            // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == "0A",
                let digits = columns[1].split(separator: ":").last, UInt16(digits, radix: 16) == port
            else { return nil }
            return "socket:[\(columns[9])]"
        }
    }

    private static func numbers(in folder: String) -> [Int32] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { found.append(number) }
        }
        return found
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func contents(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
