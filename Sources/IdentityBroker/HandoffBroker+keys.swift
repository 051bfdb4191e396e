import Basics
import Handoff
import Platform

/// What follows when a client's key is taken away.
extension HandoffBroker {
    /// Ends the flows that were begun with a key that is pinned no more, or by an app that is registered no more. A key
    /// that only came to its end by date ends none: what it began in time is finished.
    package func endFlowsOfRevokedKeys() async throws {
        for record in try pendingFlows() {
            guard let keyID = record.keyID, try apps.find(record.flow.peer)?.peer.pins(keyID: keyID) != true else {
                continue
            }
            let id = record.flow.id
            journal(.decided, id, "the key that began it was revoked", code: .unknownKey)
            try await advance(id, .refused(.unauthorizedClient))
            decisions[id]?.cancel()
        }
    }

    /// Looks for revoked keys while somebody is asked, so that the question is taken back.
    func watchKeys() {
        guard keyWatch == nil else { return }
        keyWatch = surroundings.environment.spawn("watch keys") { [self] in
            while try await isDeciding() {
                try await surroundings.environment.sleep(for: .seconds(1))
                try await endFlowsOfRevokedKeys()
            }
        }
    }

    private func isDeciding() throws -> Bool {
        if decisions.isEmpty { keyWatch = nil }
        return !decisions.isEmpty
    }
}
