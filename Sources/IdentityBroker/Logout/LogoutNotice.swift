import Basics
package import Handoff
import Platform

/// What one app is told of a logout, and what it said. It stays until the app has answered, so that one that is not
/// there is told when it comes back.
struct LogoutNotice: Codable, Sendable {
    static let table = Table<LogoutNotice>("logout-notice")

    /// The logout that it belongs to; also the flow of the commands.
    var logout: FlowID
    var app: AppID
    var issuer: String
    var subject: String
    var sessionID: String?
    /// The provider's logout token for this app, sealed; with it the app is told *everywhere*.
    var sealedToken: String?
    var state = LogoutNoticeState.waiting
    /// The commands that told it, the last few: a receipt names one of them.
    var told: [CommandID] = []
    /// Whether the app's tokens are known to be dead.
    var isRevoked: Bool
    var expires: Timestamp

    var key: String { Self.key(logout, app) }

    static func key(_ logout: FlowID, _ app: AppID) -> String { "\(logout) \(app)" }

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(key, self, family: state.isOpen ? "open" : "closed", expires: expires, in: transaction)
    }

    /// What still has to be told, or answered.
    static func open(
        for app: AppID? = nil, in records: borrowing some RecordReading & ~Copyable
    ) throws -> [LogoutNotice] {
        try table.list(family: "open", in: records).map(\.value).filter { app == nil || $0.app == app }
    }

    /// All that one logout told.
    static func list(
        of logout: FlowID, in records: borrowing some RecordReading & ~Copyable
    ) throws -> [LogoutNotice] {
        try table.list(in: records).map(\.value).filter { $0.logout == logout }
    }

    /// Forgets what an app was to be told.
    static func removeAll(for app: AppID, in transaction: borrowing Transaction) throws {
        for notice in try table.list(in: transaction).map(\.value) where notice.app == app {
            try table.remove(notice.key, in: transaction)
        }
    }

    /// Notes a command that tells it.
    mutating func tell(_ id: CommandID) {
        state = .told
        told = told.suffix(7) + [id]
    }

    static func purpose(_ key: String) -> String { "logout-notice \(key)" }
}

/// How far one app's part in a logout has come.
package enum LogoutNoticeState: Sendable, Codable, Equatable {
    /// Nobody has tried to tell it, or it asked to be told again.
    case waiting
    /// It was not on the bus, or did not answer a `ping`.
    case absent
    /// It has been told, and has not answered.
    case told
    case acknowledged(LogoutAcknowledgement.Outcome)
    case refused(AuthError.Reason)

    /// Whether it has still to be told, or to answer.
    package var isOpen: Bool {
        switch self {
        case .waiting, .absent, .told: true
        case .acknowledged, .refused: false
        }
    }
}
