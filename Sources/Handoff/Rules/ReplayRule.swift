package import Basics

/// A command is taken once. The mark is kept until the command has expired, and the largest expiry ever purged is
/// kept for good, so that a clock that goes back revives nothing.
package enum ReplayRule {
    /// The key of a command's mark.
    package static func key(_ command: VerifiedCommand) -> String { "\(command.sender.text) \(command.id.text)" }

    /// When a command's mark may be purged.
    package static func markExpires(_ command: VerifiedCommand) -> Timestamp { command.envelope.expires + .seconds(30) }

    /// Refuses a command that was taken before, or that could have been.
    ///
    /// - Parameters:
    ///   - isMarked: whether the mark was there already.
    ///   - floor: the largest mark expiry that was ever purged.
    package static func admit(_ command: VerifiedCommand, isMarked: Bool, floor: Timestamp?) throws(Fault) {
        if isMarked { throw Fault(.commandReplayed) }
        if let floor, markExpires(command) <= floor {
            throw Fault(.commandExpired, detail: "at or below the largest expiry purged")
        }
    }
}
