import Basics
import FoundationEssentials
import Glibc

/// One kept-alive loopback connection that sends a prepared request and reads one answer.
final class LoadConnection {
    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private(set) var filled = 0
    private var expected: Int?

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            throw Fault(.benchFailed, "Nothing listens at port \(port).")
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    deinit { close(descriptor) }

    func send(_ request: [UInt8]) throws {
        filled = 0
        guard write(descriptor, request, request.count) == request.count else { throw Fault(.benchFailed) }
    }

    /// Reads what is there; says whether the answer is complete.
    func receive() throws -> Bool {
        let count = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
        }
        guard count > 0 else { throw Fault(.benchFailed, "The server closed the connection.") }
        filled += count
        return try isComplete()
    }

    func roundTrip(_ request: [UInt8]) throws {
        try send(request)
        while !(try receive()) {}
    }

    /// Equal requests get answers of equal length, so that is looked for once for each connection.
    private func isComplete() throws -> Bool {
        if expected == nil { expected = try lengthOfAnswer() }
        guard let expected, filled >= expected else { return false }
        guard buffer.starts(with: LoadConnection.success) else {
            throw Fault(.benchFailed, "An answer was not 200: \(String(decoding: buffer.prefix(64), as: UTF8.self))")
        }
        return true
    }

    private static let success = Array("HTTP/1.1 200".utf8)

    /// The length of the whole answer, once its header is here.
    private func lengthOfAnswer() throws -> Int? {
        let lines = String(decoding: buffer[..<filled], as: UTF8.self).components(separatedBy: "\r\n\r\n")
        guard lines.count > 1 else { return nil }
        let field = lines[0].lowercased().components(separatedBy: "content-length: ")
        guard field.count == 2, let body = Int(field[1].prefix { $0.isNumber }) else {
            throw Fault(.benchFailed, "An answer did not say its length.")
        }
        return lines[0].utf8.count + 4 + body
    }
}

/// Sends the same request over several connections at once, from one thread.
enum LoadGenerator {
    static func discovery(port: UInt16) -> [UInt8] {
        Array("GET /.well-known/openid-configuration HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)
    }

    /// Runs until `count` answers are here; bounded by the number.
    static func run(port: UInt16, request: [UInt8], connections: Int, count: Int) throws -> [Duration] {
        let open = try (0..<connections).map { _ in try LoadConnection(port: port) }
        var waits = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var started = [ContinuousClock.Instant](repeating: .now, count: connections)
        var latencies: [Duration] = []
        latencies.reserveCapacity(count)
        var sent = 0
        for (index, connection) in open.enumerated() {
            started[index] = .now
            try connection.send(request)
            sent += 1
        }
        while latencies.count < count {
            guard poll(&waits, nfds_t(waits.count), 5_000) > 0 else { throw Fault(.benchFailed, "No answer for 5 s.") }
            for index in waits.indices where waits[index].revents != 0 {
                guard try open[index].receive() else { continue }
                latencies.append(ContinuousClock.now - started[index])
                if sent < count {
                    started[index] = .now
                    try open[index].send(request)
                    sent += 1
                }
            }
        }
        return latencies
    }
}
