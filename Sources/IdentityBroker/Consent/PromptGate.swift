import Basics
import Handoff

/// One prompt per client at a time; after two refusals in ten minutes the client is refused for ten.
struct PromptGate: Sendable {
    private static let window: Duration = .seconds(600)
    private var asking: Set<AppID> = []
    private var refusals: [AppID: [Timestamp]] = [:]

    /// Whether the client may be asked about now; notes that it is.
    mutating func enter(_ client: AppID, now: Timestamp) -> Bool {
        let recent = (refusals[client] ?? []).filter { now - $0 < Self.window }
        refusals[client] = recent.isEmpty ? nil : recent
        guard recent.count < 2 else { return false }
        return asking.insert(client).inserted
    }

    /// The question is answered, or gone.
    mutating func leave(_ client: AppID) { asking.remove(client) }

    /// The person refused the client.
    mutating func refused(_ client: AppID, now: Timestamp) { refusals[client, default: []].append(now) }
}
