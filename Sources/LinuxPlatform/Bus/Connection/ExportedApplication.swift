import CSystemd
import Platform

/// The object that an app has on the bus. Touched on the loop's thread only.
final class ExportedApplication {
    let name: String
    let receive: @Sendable (Delivery) async -> Void
    /// How many deliveries are under way, by their senders.
    var underWay: [String: Int] = [:]
    /// What the object holds in sd-bus.
    var slot: OpaquePointer?
    private weak var owner: DBusCommandBus?

    init(name: String, owner: DBusCommandBus, receive: @escaping @Sendable (Delivery) async -> Void) {
        self.name = name
        self.owner = owner
        self.receive = receive
    }

    deinit { sd_bus_slot_unref(slot) }

    /// What sd-bus calls for every message to the object; 0 leaves the standard refusal to it.
    static let callback: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 0 }
        // The owner's table holds the object as long as its slot.
        let application = Unmanaged<ExportedApplication>.fromOpaque(context).takeUnretainedValue()
        return application.answer(BusMessage(message)) ? 1 : 0
    }

    private func answer(_ message: BusMessage) -> Bool {
        switch (message.interface, message.member) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect"):
            reply(to: message, ApplicationInterface.introspection)
        case (nil, "Open"), (ApplicationInterface.name, "Open"):
            take(message, signature: "asa{sv}") { limits in
                message.readStrings(atMost: limits.urlsPerCall, bytes: limits.bytesPerCall).map { .open(url: $0) }
            }
        case (nil, "Activate"), (ApplicationInterface.name, "Activate"):
            take(message, signature: "a{sv}") { _ in [.activate] }
        case (nil, "ActivateAction"), (ApplicationInterface.name, "ActivateAction"):
            take(message, signature: "sava{sv}") { limits in
                guard let name = message.readString() else { return [] }
                let parameter = message.readFirstStringVariant()
                let size = name.utf8.count + (parameter?.utf8.count ?? 0)
                return size > limits.bytesPerCall ? [] : [.action(name: name, parameter: parameter)]
            }
        default: return false
        }
        return true
    }

    private func take(
        _ message: BusMessage, signature: String, _ contents: (BusLimits) -> [Delivery.Content]
    ) {
        guard message.signature == signature else { return refuse(message, expected: signature) }
        guard let owner, let sender = message.sender else { return reply(to: message) }
        let taken = contents(owner.limits)
        let name = name
        // Asked before the answer leaves: the daemon takes our messages in order, so a sender that waits for its
        // answer is still there when it is asked about.
        owner.assumeIsolated { $0.deliver(taken, from: sender, to: name) }
        // Empty and the same whatever came: a stranger learns nothing.
        reply(to: message)
    }

    private func reply(to message: BusMessage, _ text: String? = nil) {
        guard message.expectsReply else { return }
        var answer: OpaquePointer?
        guard sd_bus_message_new_method_return(message.pointer, &answer) >= 0, let answer else { return }
        if let text { _ = BusMessage(answer).append(.string(text)) }
        sd_bus_message_send(answer)
        sd_bus_message_unref(answer)
    }

    private func refuse(_ message: BusMessage, expected: String) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, "org.freedesktop.DBus.Error.InvalidArgs", "The arguments must be \(expected).")
        sd_bus_reply_method_error(message.pointer, &error)
        sd_bus_error_free(&error)
    }
}
