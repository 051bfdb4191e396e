import Basics
import CCurl
import CLinux
import Glibc
import Platform
import Synchronization

/// The thread that drives libcurl's multi handle.
// Unchecked: `multi`, `active` and `spare` are touched on the engine's thread only. Other threads use `inbox`, and
// curl_multi_wakeup, which is made for them.
final class CurlEngine: @unchecked Sendable {
    private struct Inbox {
        var submitted: [CurlTransfer] = []
        var isStopped = false
        /// Whether the multi handle is there to be woken.
        var isOpen = true
    }

    let configuration: CurlHTTPClient.Configuration
    private let inbox = Mutex(Inbox())
    private let multi: MultiHandle
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var spare: [UnsafeMutableRawPointer] = []

    /// libcurl wants its global state made once, before the first handle.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    static func start(_ configuration: CurlHTTPClient.Configuration) throws -> CurlEngine {
        guard isReady, let multi = curl_multi_init() else {
            throw Fault(.loopUnavailable, detail: "curl_multi_init failed")
        }
        let engine = CurlEngine(configuration, MultiHandle(pointer: multi))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(engine)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue().main()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            curl_multi_cleanup(multi)
            throw Fault(.loopUnavailable, detail: "pthread_create: \(status)")
        }
        pthread_detach(thread)
        return engine
    }

    private init(_ configuration: CurlHTTPClient.Configuration, _ multi: MultiHandle) {
        self.configuration = configuration
        self.multi = multi
    }

    /// Hands a transfer to the thread.
    func submit(_ transfer: CurlTransfer) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isStopped else { return false }
            inbox.submitted.append(transfer)
            return true
        }
        guard isTaken else { return transfer.finish(.failure(CancellationError())) }
        wake()
    }

    /// Lets the thread look at its inbox and at the marks of its transfers.
    func wake() {
        inbox.withLock { inbox in
            // Under the lock, so that the handle is not freed meanwhile.
            if inbox.isOpen { _ = curl_multi_wakeup(multi.pointer) }
        }
    }

    /// Ends the thread; what is under way ends with `CancellationError`.
    func stop() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    // MARK: The thread

    private func main() {
        countersign_block_broken_pipe()
        while takeInbox() {
            dropCancelled()
            var running: Int32 = 0
            curl_multi_perform(multi.pointer, &running)
            takeResults()
            // Without transfers there is nothing to wait for but a wake-up.
            curl_multi_poll(multi.pointer, nil, 0, active.isEmpty ? 60_000 : 1_000, nil)
        }
        end()
    }

    private func takeInbox() -> Bool {
        let (submitted, isStopped) = inbox.withLock { inbox in
            defer { inbox.submitted = [] }
            return (inbox.submitted, inbox.isStopped)
        }
        for transfer in submitted {
            if isStopped || transfer.isCancelled {
                transfer.finish(.failure(CancellationError()))
            } else {
                begin(transfer)
            }
        }
        return !isStopped
    }

    private func begin(_ transfer: CurlTransfer) {
        guard let easy = spare.popLast() ?? curl_easy_init() else {
            return transfer.finish(.failure(Fault(.httpUnreachable, detail: "curl_easy_init failed")))
        }
        do {
            try transfer.prepare(easy, configuration)
        } catch {
            return end(transfer, easy, .failure(error))
        }
        active[easy] = transfer
        guard curl_multi_add_handle(multi.pointer, easy) == CURLM_OK else {
            active[easy] = nil
            return end(transfer, easy, .failure(Fault(.httpUnreachable, detail: "curl_multi_add_handle failed")))
        }
    }

    private func dropCancelled() {
        for (easy, transfer) in active where transfer.isCancelled {
            remove(easy, transfer, .failure(CancellationError()))
        }
    }

    private func takeResults() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = active[easy]
            else { continue }
            remove(easy, transfer, transfer.result(easy, message.pointee.data.result))
        }
    }

    private func remove(
        _ easy: UnsafeMutableRawPointer, _ transfer: CurlTransfer, _ result: CurlTransfer.Outcome
    ) {
        active[easy] = nil
        curl_multi_remove_handle(multi.pointer, easy)
        end(transfer, easy, result)
    }

    private func end(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer, _ result: CurlTransfer.Outcome) {
        // Also forgets the pointers into the transfer.
        curl_easy_reset(easy)
        transfer.release()
        if spare.count < 16 { spare.append(easy) } else { curl_easy_cleanup(easy) }
        transfer.finish(result)
    }

    private func end() {
        for (easy, transfer) in active { remove(easy, transfer, .failure(CancellationError())) }
        for easy in spare { curl_easy_cleanup(easy) }
        spare = []
        inbox.withLock { $0.isOpen = false }
        curl_multi_cleanup(multi.pointer)
    }
}

/// A C pointer that its owner may keep; who may use it is the owner's rule.
// Unchecked: it is a number; `CurlEngine` says which thread uses what it points to.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
