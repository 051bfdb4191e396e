import Synchronization

/// Counts by name, and notes lines in order, for tests.
final class Tally: Sendable {
    private let state = Mutex<(counts: [String: Int], lines: [String])>(([:], []))

    var counts: [String: Int] { state.withLock(\.counts) }
    var lines: [String] { state.withLock(\.lines) }

    func count(_ name: String) { state.withLock { $0.counts[name, default: 0] += 1 } }
    func note(_ line: String) { state.withLock { $0.lines.append(line) } }
}
