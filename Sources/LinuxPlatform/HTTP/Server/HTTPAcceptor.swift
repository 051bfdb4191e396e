import Basics
import CEvent
import CLinux
import Glibc

/// Accepts one socket's connections for one worker. Touched on the worker's loop only.
final class HTTPAcceptor {
    // The worker owns its acceptors.
    private unowned let worker: HTTPWorker
    private let isUnix: Bool
    private var listener: OpaquePointer?
    private var pause: LoopEvent?

    init(_ worker: HTTPWorker, _ socket: ListeningSocket) throws {
        self.worker = worker
        if case .unix = socket.place { isUnix = true } else { isUnix = false }
        let descriptor = try socket.duplicate()
        let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC
        // Backlog 0: the socket listens already.
        listener = evconnlistener_new(
            worker.loop.base,
            { _, descriptor, address, _, context in
                guard let context else { return }
                Unmanaged<HTTPAcceptor>.fromOpaque(context).takeUnretainedValue().accept(descriptor, address)
            }, Unmanaged.passUnretained(self).toOpaque(), UInt32(flags), 0, descriptor)
        guard listener != nil else {
            Glibc.close(descriptor)
            throw Fault(.loopUnavailable, detail: "evconnlistener_new failed")
        }
        evconnlistener_set_error_cb(listener) { _, context in
            guard let context else { return }
            Unmanaged<HTTPAcceptor>.fromOpaque(context).takeUnretainedValue().rest()
        }
        pause = worker.loop.timer { [unowned self] in
            if let listener { evconnlistener_enable(listener) }
        }
    }

    func close() {
        if let listener { evconnlistener_free(listener) }
        listener = nil
        pause?.free()
        pause = nil
    }

    private func accept(_ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?) {
        worker.loop.callback { worker.accept(descriptor, remote: isUnix ? "unix" : HTTPAcceptor.text(address)) }
    }

    /// Out of descriptors: the connection stays in the queue, and libevent would try again at once, for ever.
    private func rest() {
        evconnlistener_disable(listener)
        pause?.schedule(after: .milliseconds(100))
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>?) -> String {
        guard let address else { return "" }
        let isSix = Int32(address.pointee.sa_family) == AF_INET6
        // The address follows family, port and, in IPv6, the flow label.
        let start = UnsafeRawPointer(address) + (isSix ? 8 : 4)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let base = buffer.baseAddress,
                inet_ntop(isSix ? AF_INET6 : AF_INET, start, base, socklen_t(buffer.count)) != nil
            else { return "" }
            return String(cString: base)
        }
    }
}
