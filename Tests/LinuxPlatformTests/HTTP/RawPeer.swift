import Glibc

@testable import LinuxPlatform

/// Runs blocking work on a thread of its own, so that no test holds a thread of the pool.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let loop = try EventLoop.start(name: "test-peer")
    defer { loop.stop() }
    return try await loop.run(body)
}

/// A peer that speaks bytes, well formed or not. Its calls block, for at most ten seconds.
final class RawPeer: Sendable {
    private let descriptor: Int32

    struct Failure: Error {
        let what: String
    }

    /// Connects to 127.0.0.1.
    convenience init(port: UInt16) throws {
        var address = sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
            sin_addr: in_addr(s_addr: inet_addr("127.0.0.1")),
            sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
        try self.init(AF_INET, &address)
    }

    /// Connects to a Unix socket.
    convenience init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try self.init(AF_UNIX, &address)
    }

    private init<Address>(_ family: Int32, _ address: inout Address) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw Failure(what: "connect")
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; says whether the other end took them.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Says that no more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What comes until the other end closes.
    func readAll() throws -> String {
        var text = ""
        while true {
            let part = try readSome()
            if part.isEmpty { return text }
            text += part
        }
    }

    /// One response with its body of the told length.
    func readResponse(hasBody: Bool = true) throws -> String {
        var text = ""
        while true {
            if let end = text.firstRange(of: "\r\n\r\n") {
                let length = text[..<end.lowerBound].split(separator: "\r\n").lazy
                    .filter { $0.lowercased().hasPrefix("content-length: ") }
                    .compactMap { Int($0.dropFirst("content-length: ".count)) }.first
                if !hasBody || text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let part = try readSome()
            guard !part.isEmpty else { throw Failure(what: "closed after: \(text)") }
            text += part
        }
    }

    /// Whether the other end closes the connection within the time.
    func isClosed() throws -> Bool { try readSome().isEmpty }

    private func readSome() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { return "" }
        guard count >= 0 else { throw Failure(what: "nothing came") }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// The status of a response.
func status(_ response: String) -> Int? { response.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
