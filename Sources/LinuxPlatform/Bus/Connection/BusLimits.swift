/// How much one connection takes and waits. What is beyond is dropped without an answer that differs.
package struct BusLimits: Sendable {
    /// Deliveries of one app that may be under way.
    package var inbox = 64
    /// How many of them may be one sender's, so that nobody takes the place of all others.
    package var inboxPerSender = 32
    /// URLs in one call of `Open`.
    package var urlsPerCall = 16
    /// Bytes of text in one call.
    package var bytesPerCall = 65_536
    /// Messages that may wait for a daemon that does not read.
    package var outbox: UInt64 = 1_024
    /// Apps that may be on their way up at a time because of calls of this connection.
    package var starts = 8
    /// The pauses before a call is repeated whose receiver owns its name and has no object yet.
    package var objectPauses: [Duration] = [20, 50, 100, 200, 400].map { .milliseconds($0) }
    /// How long the daemon may take for an answer.
    package var daemonTimeout: Duration = .seconds(5)
    /// How long another app may take to accept a call, its start included.
    package var peerTimeout: Duration = .seconds(20)
    /// How long `stop()` waits for what is queued.
    package var flushTimeout: Duration = .seconds(1)

    package init() {}
}
