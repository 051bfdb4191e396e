package import Basics
package import Handoff
package import Platform

/// The marks of the commands that were taken, in the app's records.
package struct ReplayLedger: Sendable {
    private static let marks = Table<Bool>("replay-mark")
    private static let floor = Table<Timestamp>("replay-floor")

    package init() {}

    /// Marks a command as taken, in the commit that takes it.
    ///
    /// - Throws: `command-replayed`, or `command-expired` at or below the largest expiry ever purged.
    package func admit(_ command: VerifiedCommand, now: Timestamp, in transaction: borrowing Transaction) throws {
        let isNew = try Self.marks.insert(
            ReplayRule.key(command), true, expires: ReplayRule.markExpires(command), in: transaction)
        try ReplayRule.admit(
            command, isMarked: !isNew, floor: try Self.floor.find("floor", in: transaction))
    }

    /// Purges marks of commands that have expired, and remembers the largest expiry purged.
    package func purge(now: Timestamp, in transaction: borrowing Transaction) throws {
        guard let largest = try transaction.purge(Self.marks.kind, expiredBefore: now) else { return }
        let floor = try Self.floor.find("floor", in: transaction)
        try Self.floor.put("floor", max(floor ?? largest, largest), in: transaction)
    }

    /// Refuses a command that was taken before, as `admit` does; nothing is marked.
    package func check(_ command: VerifiedCommand, in records: borrowing Snapshot) throws {
        let isMarked = try Self.marks.find(ReplayRule.key(command), in: records) != nil
        try ReplayRule.admit(command, isMarked: isMarked, floor: try Self.floor.find("floor", in: records))
    }
}
