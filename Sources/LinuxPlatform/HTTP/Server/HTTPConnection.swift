import CEvent
import COpenSSL
import Glibc
import Platform

/// One connection of a peer: reads requests through the gate, hands each to the handler, and writes the answers.
// Unchecked: touched on its loop's thread only. libevent calls back there, and the handler's task prefers the loop.
final class HTTPConnection: @unchecked Sendable {
    /// What the connection is doing.
    private enum State {
        /// Waiting for a request's first byte.
        case idle
        case readingHead
        case readingBody(RequestHead, count: Int)
        case readingChunks(RequestHead)
        /// The handler has the request.
        case answering
        /// The peer is slow to take the answer.
        case sending(thenCloses: Bool)
        /// The last answer has left: the peer may read it, and what it still sends is thrown away. Without this a
        /// reset could overtake the answer.
        case lingering
        case closed
    }

    /// When the present state is over, if nothing happens before.
    private(set) var deadline = MonotonicTime.never
    /// Whether the connection counts towards the cap; one that does not is here to be refused.
    let isAdmitted: Bool

    // The worker keeps its connections, and ends them before it goes.
    private unowned let worker: HTTPWorker
    private let descriptor: Int32
    private let remote: String
    private let tls: OpaquePointer?
    private var stream: OpaquePointer?
    private var state = State.idle
    private var scanner = HeaderScanner()
    private var chunks = ChunkedBody(limit: 0)
    private var hasServed = false
    /// Counts requests, so that an answer that comes too late is not taken for the next one's.
    private var number = 0
    private var isHead = false
    private var keepsOpen = true
    private var task: Task<Void, Never>?

    init?(_ worker: HTTPWorker, _ descriptor: Int32, remote: String, isAdmitted: Bool) {
        self.worker = worker
        self.descriptor = descriptor
        self.remote = remote
        self.isAdmitted = isAdmitted
        let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
        if let context = worker.service.tls {
            guard let connection = context.makeConnection() else { return nil }
            stream = bufferevent_openssl_socket_new(
                worker.loop.base, descriptor, connection, BUFFEREVENT_SSL_ACCEPTING, options)
            guard stream != nil else {
                SSL_free(connection)
                return nil
            }
            // A peer that ends without the closing alert has ended all the same.
            bufferevent_openssl_set_allow_dirty_shutdown(stream, 1)
            tls = connection
        } else {
            tls = nil
            stream = bufferevent_socket_new(worker.loop.base, descriptor, options)
            guard stream != nil else { return nil }
        }
    }

    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Begins to read.
    func open() {
        let limits = worker.service.limits
        bufferevent_setcb(
            stream,
            { _, context in HTTPConnection.from(context)?.callback { $0.read() } },
            { _, context in HTTPConnection.from(context)?.callback { $0.sent() } },
            { _, events, context in HTTPConnection.from(context)?.callback { $0.notice(events) } },
            Unmanaged.passUnretained(self).toOpaque())
        // Enough for one request; what a peer sends beyond that waits in the kernel.
        bufferevent_setwatermark(stream, Int16(EV_READ), 0, limits.headerBytes + limits.bodyBytes + 4096)
        bufferevent_enable(stream, Int16(EV_READ | EV_WRITE))
        if isAdmitted { expect(within: limits.receive) } else { refuse(.full) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPConnection? {
        context.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func callback(_ body: (HTTPConnection) -> Void) {
        worker.loop.checkThread()
        worker.loop.callback { body(self) }
    }

    private func expect(within duration: Duration) {
        deadline = MonotonicTime.now() + duration
        worker.note(deadline)
    }
}

// MARK: Reading

extension HTTPConnection {
    /// Reads as far as the bytes go, or until a handler has a request.
    private func read() {
        do throws(Refusal) {
            while try readStep() {}
        } catch {
            refuse(error)
        }
    }

    /// Takes one step; says whether there may be another.
    private func readStep() throws(Refusal) -> Bool {
        guard let stream, let input = bufferevent_get_input(stream) else { return false }
        let available = evbuffer_get_length(input)
        switch state {
        case .idle:
            guard available > 0 else { return false }
            return beginHead(input, available)
        case .readingHead:
            return try readHead(input, available)
        case .readingBody(let head, let count):
            guard available >= count else { return false }
            let body = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = count == 0 ? 0 : Int(evbuffer_remove(input, buffer.baseAddress, count))
            }
            answer(head, body)
            return false
        case .readingChunks(let head):
            let (used, isComplete) = try chunks.read(HTTPConnection.bytes(input, available))
            evbuffer_drain(input, used)
            guard isComplete else { return false }
            answer(head, chunks.bytes)
            return false
        case .lingering:
            evbuffer_drain(input, available)
            return false
        case .answering, .sending, .closed:
            return false
        }
    }

    private func beginHead(_ input: OpaquePointer, _ available: Int) -> Bool {
        // One empty line after a request is a known habit of clients (RFC 9112 §2.2).
        if hasServed, HTTPConnection.bytes(input, min(available, 2)).first == .carriageReturn {
            guard available >= 2 else { return false }
            if HTTPConnection.bytes(input, 2)[1] == .lineFeed {
                evbuffer_drain(input, 2)
                hasServed = false
                return true
            }
        }
        scanner = HeaderScanner()
        state = .readingHead
        expect(within: worker.service.limits.receive)
        return true
    }

    private func readHead(_ input: OpaquePointer, _ available: Int) throws(Refusal) -> Bool {
        let service = worker.service
        let bytes = HTTPConnection.bytes(input, min(available, service.limits.headerBytes))
        guard let end = try scanner.end(in: bytes) else {
            guard available < service.limits.headerBytes else { throw .headerTooLarge }
            return false
        }
        let head = try RequestHead(
            UnsafeBufferPointer(rebasing: bytes[..<end]), authority: service.authority,
            bodyLimit: service.limits.bodyBytes)
        evbuffer_drain(input, end)
        switch head.framing {
        case .length(let count): state = .readingBody(head, count: count)
        case .chunked:
            state = .readingChunks(head)
            chunks = ChunkedBody(limit: service.limits.bodyBytes)
        }
        if head.expectsContinue, end == available { _ = send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        return true
    }

    /// The first bytes of a buffer in one piece.
    private static func bytes(_ buffer: OpaquePointer, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: evbuffer_pullup(buffer, count), count: count)
    }
}

// MARK: Answering

extension HTTPConnection {
    private func answer(_ head: RequestHead, _ body: [UInt8]) {
        number += 1
        isHead = head.method == "HEAD"
        keepsOpen = head.keepsConnection
        hasServed = true
        state = .answering
        expect(within: worker.service.limits.answer)
        let request = HTTPRequest(
            method: head.method, path: head.path, query: head.query, headers: head.headers, body: body, remote: remote)
        let handler = worker.service.handler
        task = Task.detached(executorPreference: worker.loop) { [self, number] in
            let response = await handler.respond(to: request)
            finish(response, number)
        }
    }

    /// Takes a handler's answer, unless the peer has left or the answer is overdue.
    private func finish(_ response: HTTPResponse, _ number: Int) {
        // Before anything else: the worker, and with it the loop, may be gone when the peer has.
        guard number == self.number, case .answering = state else { return }
        worker.loop.checkThread()
        task = nil
        write(response, closes: !keepsOpen || worker.isEnding)
        // Requests that came meanwhile wait in the input.
        if isIdle { read() }
    }

    private func refuse(_ refusal: Refusal) {
        if case .closed = state { return }
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        if refusal.status == 503 { headers.add("Retry-After", "1") }
        let body = Array("\(refusal.reason)\n".utf8)
        write(HTTPResponse(status: refusal.status, headers: headers, body: body), closes: true)
    }

    /// Tells the peer that nothing more comes.
    private func endOutput() {
        if let tls {
            SSL_shutdown(tls)
            // What it leaves behind would be taken for the next connection's error.
            ERR_clear_error()
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func write(_ response: HTTPResponse, closes: Bool) {
        worker.response.write(response, date: worker.date(), withoutBody: isHead, closes: closes)
        isHead = false
        guard send(worker.response.bytes) else {
            state = .sending(thenCloses: closes)
            return expect(within: worker.service.limits.send)
        }
        settle(closes: closes)
    }

    /// The answer has left.
    private func settle(closes: Bool) {
        guard closes || worker.isEnding else {
            state = .idle
            return expect(within: worker.service.limits.idle)
        }
        state = .lingering
        expect(within: worker.service.limits.linger)
        endOutput()
        read()
    }

    /// Sends bytes; says whether they have all left already.
    private func send(_ bytes: [UInt8]) -> Bool {
        guard let stream else { return true }
        var sent = 0
        if tls == nil, evbuffer_get_length(bufferevent_get_output(stream)) == 0 {
            // Straight into the socket, which usually takes it all: that saves a round through epoll.
            sent = max(
                0,
                bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            )
            if sent == bytes.count { return true }
        }
        _ = bytes[sent...].withUnsafeBytes { bufferevent_write(stream, $0.baseAddress, $0.count) }
        return false
    }

    /// The output has left.
    private func sent() {
        switch state {
        case .sending(let thenCloses):
            settle(closes: thenCloses)
            if isIdle { read() }
        case .idle, .readingHead, .readingBody, .readingChunks, .answering, .lingering, .closed:
            break
        }
    }
}

// MARK: The end

extension HTTPConnection {
    /// The peer has closed or lost the connection, or TLS has failed or begun.
    private func notice(_ events: Int16) {
        guard Int32(events) & (BEV_EVENT_EOF | BEV_EVENT_ERROR | BEV_EVENT_TIMEOUT) != 0 else { return }
        if case .sending = state, Int32(events) & BEV_EVENT_EOF != 0 {
            // It sends no more, and may still read.
            state = .sending(thenCloses: true)
            return
        }
        close()
    }

    /// The deadline has passed.
    func expire() {
        switch state {
        case .idle, .sending, .lingering: close()
        case .readingHead, .readingBody, .readingChunks: refuse(.slow)
        case .answering:
            task?.cancel()
            task = nil
            refuse(.overdue)
        case .closed: break
        }
    }

    /// Ends the connection and its handler's work.
    func abandon() {
        task?.cancel()
        close()
    }

    /// Frees the connection. A handler that still works on its request ends as it likes; nobody takes its answer.
    func close() {
        if case .closed = state { return }
        state = .closed
        deadline = .never
        task = nil
        bufferevent_free(stream)
        stream = nil
        worker.remove(self)
    }
}
