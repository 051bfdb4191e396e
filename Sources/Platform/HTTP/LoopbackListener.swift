/// Opens a loopback port for one prompt or one return (RFC 8252 §7.3).
package protocol LoopbackListener: Sendable {
    /// Serves `handler` on a free loopback port until the value returned is closed.
    func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort
}

/// A loopback port that is open now.
package protocol LoopbackPort: Sendable {
    /// Its origin, such as `http://127.0.0.1:40123`.
    var origin: String { get }
    /// Closes the port; open requests are answered first.
    func close() async
}

/// Opens a URL in an app of the machine, usually the browser.
package protocol URLOpener: Sendable {
    /// Whether there is anything that could open a URL here.
    var isAvailable: Bool { get }
    /// Opens the URL. Throws `no-opener` where nothing can.
    func open(_ url: String) async throws
}
