import Basics
import Handoff
import JOSE
import Synchronization

/// The commands that were seen on the buses of a stage, each where it was seen first: one that is delivered again,
/// perhaps on another device, is not captured again.
final class CapturedCommands: Sendable {
    private struct State {
        var urls: Set<String> = []
        var commands: [(device: String, command: CapturedCommand)] = []
    }

    private let state = Mutex(State())

    /// Takes a URL that was opened on the bus of a device; one that is no command is left alone.
    func note(_ url: String, on device: String) {
        state.withLock { state in
            guard state.urls.insert(url).inserted, let command = CapturedCommand(url) else { return }
            state.commands.append((device, command))
        }
    }

    /// The URL of the last command of the order's name between its two apps.
    ///
    /// - Throws: `nothing-captured`, `unknown-actor`.
    func url(of order: DeliveryOrder, in cast: Cast) throws -> String {
        let (sender, receiver) = (try cast.member(order.from), try cast.member(order.to))
        let parties = try [sender, receiver].map { partyInfo(try AppID($0.appID)) }
        let last = state.withLock { state in
            state.commands.last { seen in
                seen.device == sender.device && seen.command.name == order.command && seen.command.parties == parties
            }
        }
        // The same names on another device are other apps.
        guard let last, sender.device == receiver.device else {
            throw Fault(.nothingCaptured, "\(order.from) has sent \(order.to) no \(order.command.rawValue) yet.")
        }
        return last.command.url
    }
}

/// A command as whoever listens on a bus has it: nothing in it was checked, and what is encrypted stays closed.
private struct CapturedCommand: Sendable {
    let url: String
    let name: CommandName
    /// What stands for its sender and its receiver, as it says itself.
    let parties: [String?]

    init?(_ url: String) {
        guard let end = url.firstRange(of: "://"),
            let shape = try? CommandURL(url, schemes: [String(url[..<end.lowerBound])])
        else { return nil }
        self.url = url
        name = shape.name
        if let sealed = try? UnverifiedJWE(compact: shape.token) {
            parties = ["apu", "apv"].map { sealed.header[$0]?.stringValue }
        } else if let envelope = try? UnverifiedCommand(shape, decryptionKeys: []).envelope {
            parties = [envelope.sender, envelope.receiver].map(partyInfo)
        } else {
            return nil
        }
    }
}
