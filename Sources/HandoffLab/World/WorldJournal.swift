package import Basics
package import Platform
import Synchronization

/// The journal of a whole world: what all its apps wrote, in the one order in which it happened.
package final class WorldJournal: Sendable {
    /// One entry, with the app that wrote it and the instant.
    package struct Line: Sendable {
        package let app: String
        package let time: Timestamp
        package let entry: JournalEntry
    }

    private let collected = Mutex<[Line]>([])
    private let now: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// The journal of one app of the world.
    package func journal(of app: String) -> any Journal { AppJournal(world: self, app: app) }

    /// Everything, in order.
    package var lines: [Line] { collected.withLock { $0 } }

    /// The entries of one app, in order.
    package func entries(of app: String) -> [JournalEntry] { lines.filter { $0.app == app }.map(\.entry) }

    /// The causal order as text: equal worlds give equal texts. It has no key material in it.
    package var transcript: String {
        lines.map { "\($0.time) \($0.app) \($0.entry.transcriptLine)\n" }.joined()
    }

    /// The same as JSON lines, in the form of an app's log file.
    package var jsonLines: [JSONValue] {
        lines.enumerated().map { index, line in
            line.entry.jsonLine(app: line.app, time: line.time, process: nil, sequence: UInt64(index))
        }
    }

    /// The same as a log to trace flows in.
    package var traceLog: TraceLog { TraceLog(jsonLines.compactMap(TraceEntry.init)) }

    fileprivate func record(_ entry: JournalEntry, by app: String) {
        let time = now()
        collected.withLock { $0.append(Line(app: app, time: time, entry: entry)) }
    }
}

private struct AppJournal: Journal {
    let world: WorldJournal
    let app: String

    func record(_ entry: JournalEntry) { world.record(entry, by: app) }
}
