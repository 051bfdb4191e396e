import Basics
import Handoff
import Platform

/// A logout that this app asks its identity provider app for, as it is stored: another process of the app may send it.
struct LogoutAsk: Codable, Sendable {
    static let table = Table<LogoutAsk>("logout-ask")

    /// What came back.
    enum Answer: Codable, Equatable {
        case acknowledged(LogoutAcknowledgement.Outcome)
        case refused(AuthError.Reason)
        case cancelled
        /// It could not be sent.
        case failed(code: String, text: String)
    }

    var flow: FlowID
    var peer: AppID
    /// The id of the `logout`, which an answer names.
    var request: CommandID
    /// The command, sealed; gone once there is an answer.
    var sealedCommand: String?
    var answer: Answer?
    var expires: Timestamp

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(flow.text, self, expires: expires, in: transaction)
    }

    static func purpose(_ flow: FlowID) -> String { "logout-ask \(flow.text)" }
}
