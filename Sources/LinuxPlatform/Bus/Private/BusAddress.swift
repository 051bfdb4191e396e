import CLinux
import Glibc

/// Addresses of D-Bus servers (D-Bus Specification, "Server Addresses").
enum BusAddress {
    /// The address of a Unix socket.
    static func unix(path: String) -> String {
        "unix:path="
            + path.utf8.map { byte in
                isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + hex(byte >> 4) + hex(byte & 15)
            }.joined()
    }

    /// The path of a Unix socket's address.
    static func path(of address: String) -> String? {
        guard let rest = address.split(separator: ";").first, rest.hasPrefix("unix:") else { return nil }
        let value = rest.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }?.dropFirst(5)
        guard let value else { return nil }
        var bytes: [UInt8] = []
        var source = Array(value.utf8)[...]
        while let byte = source.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard source.count >= 2, let escaped = UInt8(String(decoding: source.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(escaped)
            source = source.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether both name the same server; the id that a daemon adds to its address does not count.
    static func isSame(_ left: String, _ right: String) -> Bool { withoutID(left) == withoutID(right) }

    /// Whether a server listens at a Unix socket. An address of another kind is believed.
    static func answers(_ address: String) -> Bool {
        guard let path = path(of: address) else { return !address.isEmpty }
        return listens(path)
    }

    private static func withoutID(_ address: String) -> String {
        address.split(separator: ",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }

    private static func listens(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A full queue means that somebody listens.
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    || countersign_errno() == EAGAIN
            }
        }
    }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
