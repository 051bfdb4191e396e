import Synchronization

/// Collects an app's log in memory.
package final class InMemoryJournal: Journal {
    private let collected = Mutex<[JournalEntry]>([])

    package init() {}

    package func record(_ entry: JournalEntry) { collected.withLock { $0.append(entry) } }

    /// What has been recorded, in order.
    package var entries: [JournalEntry] { collected.withLock { $0 } }

    /// The log as text, one line for each entry, without times: equal runs have equal transcripts.
    package var transcript: String { entries.map { $0.transcriptLine + "\n" }.joined() }
}
