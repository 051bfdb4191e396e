import Basics
import CLinux
import Glibc
import Synchronization

/// A socket that listens at one address. Each loop accepts from a duplicate of it.
///
/// SO_REUSEPORT is not set: with it, any process of the user could take a share of the connections.
final class ListeningSocket: Sendable {
    enum Place: Sendable, Equatable {
        case tcp(address: String, port: UInt16)
        /// The file's device and number tell whether it is still ours when the server ends.
        case unix(path: String, device: UInt, file: UInt)
    }

    let place: Place
    /// -1 once it is closed.
    private let descriptor: Mutex<Int32>

    private init(_ descriptor: Int32, _ place: Place) {
        self.descriptor = Mutex(descriptor)
        self.place = place
    }

    deinit { close() }

    /// Closes this descriptor. The socket itself lives as long as a duplicate does.
    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    /// One more descriptor of the socket; the caller closes it.
    func duplicate() throws -> Int32 {
        let copy = descriptor.withLock { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else { throw Fault(.loopUnavailable, detail: "dup: \(countersign_errno())") }
        return copy
    }

    /// Removes a Unix socket's file, if the file is still this socket's.
    func removeFile() {
        guard case .unix(let path, let device, let file) = place else { return }
        var status = stat()
        guard lstat(path, &status) == 0, UInt(status.st_dev) == device, UInt(status.st_ino) == file else { return }
        unlink(path)
    }
}

// MARK: TCP

extension ListeningSocket {
    /// Listens at 127.0.0.1, and at ::1 where the machine has it, with one port.
    static func loopback(port: UInt16) throws -> [ListeningSocket] {
        // A port that is free in one family may be taken in the other; another one is then as good.
        var attempts = port == 0 ? 8 : 1
        while true {
            attempts -= 1
            let first = try tcp(address: "127.0.0.1", port: port)
            guard case .tcp(_, let port) = first.place else { return [first] }
            do {
                return [first, try tcp(address: "::1", port: port)]
            } catch let fault as Fault where fault.code == .addressUnavailable {
                return [first]
            } catch let fault as Fault where fault.code == .portTaken && attempts > 0 {
                continue
            }
        }
    }

    /// Listens at a numeric address.
    static func tcp(address: String, port: UInt16) throws -> ListeningSocket {
        var storage = sockaddr_storage()
        let length = try fill(&storage, address, port)
        let descriptor = socket(Int32(storage.ss_family), socketKind, 0)
        guard descriptor >= 0 else { throw unavailable(address, "socket") }
        do {
            enable(descriptor, SOL_SOCKET, SO_REUSEADDR)
            // Accepted sockets inherit it. Without it TLS answers wait for the peer's delayed acknowledgement.
            enable(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
            if Int32(storage.ss_family) == AF_INET6 { enable(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
            let bound = withSocketAddress(&storage) { bind(descriptor, $0, length) }
            guard bound == 0, listen(descriptor, 512) == 0 else {
                guard countersign_errno() == EADDRINUSE else { throw unavailable(address, "bind") }
                throw taken(address, port)
            }
            return ListeningSocket(descriptor, .tcp(address: address, port: boundPort(descriptor)))
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static let socketKind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    private static func fill(_ storage: inout sockaddr_storage, _ address: String, _ port: UInt16) throws -> socklen_t {
        var four = in_addr()
        var six = in6_addr()
        return try withUnsafeMutableBytes(of: &storage) { bytes in
            if inet_pton(AF_INET, address, &four) == 1 {
                let value = sockaddr_in(
                    sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: four,
                    sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
                bytes.storeBytes(of: value, as: sockaddr_in.self)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            }
            guard inet_pton(AF_INET6, address, &six) == 1 else {
                throw Fault(.addressUnavailable, "`\(address)` is not a numeric address.")
            }
            let value = sockaddr_in6(
                sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0, sin6_addr: six,
                sin6_scope_id: 0)
            bytes.storeBytes(of: value, as: sockaddr_in6.self)
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
    }

    private static func enable(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func withSocketAddress<Result>(
        _ storage: inout sockaddr_storage, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = withSocketAddress(&storage) { getsockname(descriptor, $0, &length) }
        // Both families keep the port at the same place.
        return withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    private static func taken(_ address: String, _ port: UInt16) -> Fault {
        let holder = PortHolder.find(port: port).map { ": \($0)" } ?? ""
        return Fault(.portTaken, "Port \(port) of \(address) is taken by another program\(holder).")
    }

    private static func unavailable(_ address: String, _ call: String) -> Fault {
        Fault(
            .addressUnavailable, "This machine cannot listen at \(address).", detail: "\(call): \(countersign_errno())")
    }
}

// MARK: Unix

extension ListeningSocket {
    /// Listens at a path, for the owner alone. A socket file that nobody listens at any more is replaced.
    static func unix(path: String) throws -> ListeningSocket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), !path.utf8.contains(0) else {
            throw Fault(.addressUnavailable, "The path of the socket is too long: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, socketKind, 0)
        guard descriptor >= 0 else { throw unavailable(path, "socket") }
        do {
            if withAddress(&address, { bind(descriptor, $0, $1) }) != 0 {
                guard countersign_errno() == EADDRINUSE else { throw unavailable(path, "bind") }
                try removeDeadSocket(path, &address)
                guard withAddress(&address, { bind(descriptor, $0, $1) }) == 0 else { throw unavailable(path, "bind") }
            }
            // Before `listen`: nobody can connect until the mode is right.
            var status = stat()
            guard chmod(path, 0o600) == 0, lstat(path, &status) == 0, listen(descriptor, 512) == 0 else {
                throw unavailable(path, "listen")
            }
            return ListeningSocket(
                descriptor, .unix(path: path, device: UInt(status.st_dev), file: UInt(status.st_ino)))
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func removeDeadSocket(_ path: String, _ address: inout sockaddr_un) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw Fault(.portTaken, "There is a file in the place of the socket: \(path)", next: "Move that file away.")
        }
        let probe = socket(AF_UNIX, socketKind, 0)
        guard probe >= 0 else { throw unavailable(path, "socket") }
        defer { Glibc.close(probe) }
        let answer = withAddress(&address) { connect(probe, $0, $1) }
        guard answer != 0, countersign_errno() == ECONNREFUSED else {
            throw Fault(.portTaken, "Another program already listens at the socket \(path).")
        }
        unlink(path)
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_un, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
