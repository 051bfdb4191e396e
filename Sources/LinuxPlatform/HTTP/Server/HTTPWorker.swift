import Basics
import CEvent
import CLinux
import Glibc

/// One server's share of one loop: accepts there, and keeps the connections it accepted.
// Unchecked: touched on the loop's thread only; `open` and `drain` check it, and libevent calls back there.
final class HTTPWorker: @unchecked Sendable {
    let loop: EventLoop
    let service: HTTPService
    var response = ResponseBytes()
    /// Whether the server is ending: answers from now on say that their connection closes.
    private(set) var isEnding = false
    private var isDraining = false

    private var acceptors: [HTTPAcceptor] = []
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var refused = 0
    private var sweeper: LoopEvent?
    private var sweepTime = MonotonicTime.never
    private var ending: Int?
    private var dateSecond: Int64 = 0
    private var dateText = ""
    private var graceTimer: LoopEvent?
    private var drained: CheckedContinuation<Void, Never>?

    /// How many connections that the server has no room for may wait for their refusal to be read.
    private static let refusalLimit = 64

    init(_ loop: EventLoop, _ service: HTTPService) {
        self.loop = loop
        self.service = service
    }

    /// Accepts from every socket.
    func open(_ sockets: [ListeningSocket]) throws {
        loop.checkThread()
        sweeper = loop.timer { [unowned self] in sweep() }
        // The loop keeps the worker: libevent knows it by its address, whoever has let the server go.
        ending = loop.atEnd { self.abandon() }
        for socket in sockets { acceptors.append(try HTTPAcceptor(self, socket)) }
    }

    /// Takes a new connection.
    func accept(_ descriptor: Int32, remote: String) {
        let isAdmitted = service.admit()
        // A TLS peer could read a refusal only after a handshake, which costs more than the request it is refused for.
        guard isAdmitted || service.tls == nil && refused < HTTPWorker.refusalLimit,
            let connection = HTTPConnection(self, descriptor, remote: remote, isAdmitted: isAdmitted)
        else {
            close(descriptor)
            if isAdmitted { service.release() }
            return
        }
        if !isAdmitted { refused += 1 }
        connections[ObjectIdentifier(connection)] = connection
        connection.open()
    }

    /// Lets go of a connection that has ended.
    func remove(_ connection: HTTPConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if connection.isAdmitted { service.release() } else { refused -= 1 }
        if connections.isEmpty { finishDraining() }
    }

    /// The text of the `Date` field now.
    func date() -> String {
        let now = countersign_coarse_seconds()
        if now != dateSecond {
            dateSecond = now
            dateText = HTTPDate.text(seconds: dateSecond)
        }
        return dateText
    }

    // MARK: Deadlines

    /// Sees to it that a connection's deadline is noticed.
    ///
    /// One timer serves all connections: it fires at the earliest deadline known when it was set, looks at all of
    /// them, and is set again. So a request costs no timer of its own.
    func note(_ deadline: MonotonicTime) {
        guard deadline < sweepTime else { return }
        sweepTime = deadline
        sweeper?.schedule(after: MonotonicTime.now().duration(to: deadline))
    }

    private func sweep() {
        let now = MonotonicTime.now()
        sweepTime = .never
        loop.callback {
            for connection in Array(connections.values) where connection.deadline <= now { connection.expire() }
        }
        if let next = connections.values.map(\.deadline).min() { note(next) }
    }

    // MARK: The end

    /// Closes this loop's share of the listening sockets.
    func stopAccepting() {
        loop.checkThread()
        isEnding = true
        for acceptor in acceptors { acceptor.close() }
        acceptors = []
    }

    /// Returns when the connections have ended, by themselves or after `grace`. A second call without grace ends them
    /// at once.
    func drain(grace: Duration) async {
        loop.checkThread()
        guard !isDraining else {
            if grace == .zero { abandon() }
            return
        }
        isDraining = true
        for connection in Array(connections.values) where connection.isIdle { connection.close() }
        if !connections.isEmpty, grace > .zero {
            await withCheckedContinuation { continuation in
                drained = continuation
                graceTimer = loop.timer { [unowned self] in finishDraining() }
                graceTimer?.schedule(after: grace)
            }
        }
        abandon()
    }

    /// The one place where the drain's continuation is resumed.
    private func finishDraining() {
        graceTimer?.free()
        graceTimer = nil
        drained?.resume()
        drained = nil
    }

    /// Ends everything at once.
    private func abandon() {
        stopAccepting()
        isDraining = true
        for connection in Array(connections.values) { connection.abandon() }
        finishDraining()
        sweeper?.free()
        sweeper = nil
        if let ending { loop.forgetEnding(ending) }
        ending = nil
    }
}
