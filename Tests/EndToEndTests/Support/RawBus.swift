import Basics
import Glibc
import TestSupport

/// A connection to a D-Bus daemon that is made of bytes alone: for what a library would not let a test send or see.
final class RawBus {
    private let descriptor: Int32
    private var serial: UInt32 = 0
    private var unread: [UInt8] = []

    /// Connects as this user, and says hello.
    ///
    /// - Parameter address: `unix:path=…`, as a program of the home says it.
    init(_ address: String) async throws {
        guard let start = address.firstRange(of: "unix:path=")?.upperBound else {
            throw Fault(.internalFault, "no path in \(address)")
        }
        let path = String(address[start...].prefix { $0 != "," && $0 != ";" })
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw Fault(.internalFault, "no connection to \(path)") }
        let user = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        try await send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
        try await eventually("the bus lets the test in") {
            receive()
            return unread.starts(with: Array("OK ".utf8)) && unread.last == UInt8(ascii: "\n") ? true : nil
        }
        unread = []
        try await send(Array("BEGIN\r\n".utf8))
        _ = try await answer(to: try await call("Hello", of: Self.bus, at: Self.bus, path: "/org/freedesktop/DBus"))
    }

    deinit { close(descriptor) }

    private static let bus = "org.freedesktop.DBus"

    // MARK: - Sending

    /// Sends bytes as they are, waiting where the daemon does not take them yet.
    func send(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN || errno == EINTR else { throw Fault(.internalFault, "the bus has gone") }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// Calls a method; returns the serial by which the answer is known.
    @discardableResult
    func call(
        _ member: String, of interface: String, at destination: String, path: String, signature: String = "",
        body: [UInt8] = [], expectsReply: Bool = true
    ) async throws -> UInt32 {
        serial += 1
        try await send(
            RawMessage.call(
                member, of: interface, at: destination, path: path, signature: signature, body: body, serial: serial,
                expectsReply: expectsReply))
        return serial
    }

    /// Calls `Open` of an app.
    @discardableResult
    func open(_ url: String, at app: String, expectsReply: Bool = true) async throws -> UInt32 {
        try await call(
            "Open", of: "org.freedesktop.Application", at: app, path: LabHome.objectPath(app), signature: "asa{sv}",
            body: RawMessage.open([url]), expectsReply: expectsReply)
    }

    /// From here on everything on the bus arrives here, and nothing can be sent.
    func becomeMonitor() async throws {
        var body = RawWriter()
        body.number(0)
        body.number(0)
        let reply = try await answer(
            to: try await call(
                "BecomeMonitor", of: "org.freedesktop.DBus.Monitoring", at: Self.bus, path: "/org/freedesktop/DBus",
                signature: "asu", body: body.bytes))
        guard reply.type == RawMessage.methodReturn else { throw Fault(.internalFault, "the bus has no monitors") }
    }

    // MARK: - Receiving

    /// Everything that has arrived and was not read as a message.
    var arrived: [UInt8] {
        receive()
        return unread
    }

    /// The answer to a call; what else comes is dropped.
    func answer(to serial: UInt32) async throws -> RawMessage {
        var patience = Patience(.seconds(60))
        repeat {
            receive()
            while let count = RawMessage.length(unread[...]), unread.count >= count {
                let message = RawMessage(Array(unread.prefix(count)))
                unread.removeFirst(count)
                if message.replySerial == serial { return message }
            }
        } while try await patience.lasts(.microseconds(200))
        throw NeverHappened(description: "never: an answer on the bus")
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            unread += buffer.prefix(count)
        }
    }
}
