import Basics
import Handoff
import Platform

/// Which peers are known to be on the bus, by the unique names that answered a `ping`, and the pings that are out.
struct Presence: Sendable {
    /// A `ping` that is out.
    private struct Ping: Sendable {
        var peer: AppID
        var nonce: String
        var answer: Promise<String>
    }

    private var places: [AppID: String] = [:]
    private var pings: [CommandID: Ping] = [:]

    /// Whether the peer answered a ping by that unique name. It owned its name then, and may have left since: unique
    /// names are never used again.
    func knows(_ peer: AppID, at uniqueName: String) -> Bool { places[peer] == uniqueName }

    /// Notes where a peer answered; `nil` where it is not known any more.
    mutating func note(_ peer: AppID, at uniqueName: String?) { places[peer] = uniqueName }

    /// Begins to wait for the answer to a ping that is about to be sent.
    ///
    /// - Returns: what brings the unique name that the answer came from.
    mutating func expectPong(to ping: CommandID, _ nonce: String, from peer: AppID) -> Promise<String> {
        let answer = Promise<String>()
        pings[ping] = Ping(peer: peer, nonce: nonce, answer: answer)
        return answer
    }

    /// Waits no longer for the answer to that ping.
    mutating func forget(_ ping: CommandID) { pings[ping] = nil }

    /// Finds the ping that a `pong` answers, and waits for it no longer.
    ///
    /// - Returns: what waits for the answer, and the connection that the answer came from.
    /// - Throws: `command-uncorrelated` for one that answers none, or that did not come from the peer's own connection.
    mutating func take(
        _ pong: Pong, in incoming: IncomingCommand
    ) throws(Fault) -> (answer: Promise<String>, sender: PeerEvidence) {
        let command = incoming.command
        guard let id = command.inReplyTo, let ping = pings[id], ping.nonce == pong.nonce, ping.peer == command.sender,
            incoming.transport == .direct, let sender = incoming.sender
        else { throw Fault(.commandUncorrelated) }
        pings[id] = nil
        return (ping.answer, sender)
    }

    /// Ends all waiting: the app leaves.
    mutating func end() {
        let waiting = pings
        pings = [:]
        for ping in waiting.values { ping.answer.settle(.failure(CancellationError())) }
    }
}
