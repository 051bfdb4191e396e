import Basics
import Handoff
import Platform

/// One prompt per client at a time: the next one waits for its turn. After two refusals in ten minutes the client is
/// refused for ten.
struct PromptGate: Sendable {
    /// What a client meets at the gate.
    enum Entry: Sendable {
        case open
        /// Another question about the client is open; the promise brings the turn.
        case wait(Promise<Void>)
        case refused
    }

    private static let window: Duration = .seconds(600)
    private static let limit = 2
    private var asking: Set<AppID> = []
    private var queues: [AppID: [Promise<Void>]] = [:]
    private var refusals: [AppID: [Timestamp]] = [:]

    /// Whether the person refused the client too often lately.
    func isRefused(_ client: AppID, now: Timestamp) -> Bool {
        (refusals[client] ?? []).count { now - $0 < Self.window } >= Self.limit
    }

    /// Takes the client's turn, or a place in the queue for it.
    mutating func enter(_ client: AppID, now: Timestamp) -> Entry {
        if isRefused(client, now: now) { return .refused }
        if asking.insert(client).inserted { return .open }
        let turn = Promise<Void>()
        queues[client, default: []].append(turn)
        return .wait(turn)
    }

    /// The question is answered, or gone: the next one's turn.
    mutating func leave(_ client: AppID) {
        guard let next = queues[client]?.first else {
            queues[client] = nil
            asking.remove(client)
            return
        }
        queues[client]?.removeFirst()
        next.fulfil()
    }

    /// Whoever waited for this turn waits no longer; a turn that had come meanwhile is passed on.
    mutating func abandon(_ client: AppID, _ turn: Promise<Void>) {
        if turn.outcome != nil { return leave(client) }
        queues[client]?.removeAll { $0 === turn }
    }

    /// The person refused the client.
    mutating func refused(_ client: AppID, now: Timestamp) {
        refusals[client] = (refusals[client] ?? []).filter { now - $0 < Self.window } + [now]
    }
}
