import Basics
import Platform

/// The process that is an app already. A second one hands it what it was started with, before it opens anything of its
/// own that the first could hold.
package enum RunningInstance {
    /// Opens the URLs at the process that owns the app's name on the home's bus.
    ///
    /// They come there from a connection that is no peer's, so they count as opened, as they did here.
    ///
    /// - Returns: `false` where no process is the app; nothing has been sent then.
    package static func take(
        _ urls: [String], app id: String, of home: Home, _ request: SurroundingsRequest
    ) async throws -> Bool {
        try await LinuxSurroundings.withBus(of: home, request) { bus in
            guard try await bus.owner(of: id) != nil else { return false }
            do {
                for url in urls { try await bus.open(url, at: id, startIfNeeded: false) }
                return true
            } catch ErrorCode.peerNotRunning {
                // It left just now.
                return false
            }
        }
    }
}
