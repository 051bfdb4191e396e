import Basics
import CSystemd
import Platform

/// A call whose answer has not come. Touched on the loop's thread only.
final class PendingCall {
    let number: Int
    private let call: BusCall
    /// What the call holds in sd-bus; giving it back forgets the answer.
    var slot: OpaquePointer?
    private weak var owner: DBusCommandBus?
    private let finish: (Result<BusMessage, Fault>) -> Void

    init(_ call: BusCall, number: Int, owner: DBusCommandBus, finish: @escaping (Result<BusMessage, Fault>) -> Void) {
        self.call = call
        self.number = number
        self.owner = owner
        self.finish = finish
    }

    deinit { sd_bus_slot_unref(slot) }

    /// Ends the call without an answer.
    func fail(_ fault: Fault) { finish(.failure(fault)) }

    /// What sd-bus calls with the answer, or with an error of its own after the time-out.
    static let callback: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 0 }
        // The owner's table holds the call until it is finished below.
        let call = Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
        let answer = BusMessage(message)
        if let error = answer.error {
            // At the end of the connection sd-bus answers for those who did not.
            let isOpen = sd_bus_is_open(sd_bus_message_get_bus(message)) > 0
            call.finish(
                .failure(
                    isOpen
                        ? BusFault.fault(error.name, error.text, to: call.call)
                        : Fault(.busUnavailable, "The bus has gone.")))
        } else {
            call.finish(.success(answer))
        }
        let number = call.number
        call.owner?.assumeIsolated { $0.forget(call: number) }
        return 1
    }
}
