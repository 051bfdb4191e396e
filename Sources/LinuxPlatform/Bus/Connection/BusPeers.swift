import Basics
import Platform

/// What a connection knows about the others. Held by the actor that owns the connection.
struct BusPeers {
    /// What the daemon said of a connection, or will say.
    private var evidence: [String: Promise<PeerEvidence?>] = [:]
    /// The app name by which a connection was last asked for.
    private var names: [String: String] = [:]
    private var departures: [String: Promise<Void>] = [:]

    /// What is known, or asked already.
    func knownEvidence(of uniqueName: String) -> Promise<PeerEvidence?>? { evidence[uniqueName] }

    mutating func remember(_ promise: Promise<PeerEvidence?>, of uniqueName: String) {
        evidence[uniqueName] = promise
    }

    mutating func forgetEvidence(of uniqueName: String) { evidence[uniqueName] = nil }

    func name(of uniqueName: String) -> String? { names[uniqueName] }

    mutating func remember(name: String, of uniqueName: String) { names[uniqueName] = name }

    /// What is fulfilled when that connection leaves.
    mutating func departure(of uniqueName: String) -> Promise<Void> {
        let promise = departures[uniqueName] ?? Promise()
        departures[uniqueName] = promise
        return promise
    }

    /// Takes a `NameOwnerChanged` of the daemon.
    mutating func ownerChanged(of name: String, from old: String, to new: String) {
        if BusName.isUnique(name) {
            if new.isEmpty { left(name) }
        } else if names[old] == name {
            names[old] = nil
        }
    }

    /// Forgets a connection. Its unique name does not come again.
    mutating func left(_ uniqueName: String) {
        evidence[uniqueName] = nil
        names[uniqueName] = nil
        departures.removeValue(forKey: uniqueName)?.fulfil()
    }

    /// Ends all waiting.
    mutating func fail(_ fault: Fault) {
        let waiting = departures
        self = BusPeers()
        for promise in waiting.values { promise.settle(.failure(fault)) }
    }
}
