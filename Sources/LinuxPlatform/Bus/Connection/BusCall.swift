import Basics
import CSystemd

/// A method call as a value.
struct BusCall: Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var arguments: [BusArgument]
    var startsReceiver = false
    var timeout: Duration

    /// A question to the daemon itself.
    static func daemon(_ member: String, _ arguments: [BusArgument], timeout: Duration) -> BusCall {
        BusCall(
            destination: BusName.daemon, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member, arguments: arguments, timeout: timeout)
    }

    /// A call of `org.freedesktop.Application`.
    static func application(
        _ member: String, at name: String, path: String, _ arguments: [BusArgument], startsReceiver: Bool,
        timeout: Duration
    ) -> BusCall {
        BusCall(
            destination: name, path: path, interface: ApplicationInterface.name, member: member,
            arguments: arguments, startsReceiver: startsReceiver, timeout: timeout)
    }

    /// The message to send; the caller gives its reference back.
    func message(on bus: OpaquePointer) throws(Fault) -> OpaquePointer {
        var made: OpaquePointer?
        let status = sd_bus_message_new_method_call(bus, &made, destination, path, interface, member)
        guard status >= 0, let made else {
            throw Fault(.busMessageRefused, detail: "\(member) at \(path): error \(-status)")
        }
        guard arguments.allSatisfy(BusMessage(made).append) else {
            sd_bus_message_unref(made)
            throw Fault(.busMessageRefused, detail: "\(member): arguments")
        }
        sd_bus_message_set_auto_start(made, startsReceiver ? 1 : 0)
        return made
    }
}

/// Names on the bus.
enum BusName {
    /// The daemon's own.
    static let daemon = "org.freedesktop.DBus"

    static func isUnique(_ name: String) -> Bool { name.hasPrefix(":") }

    /// Whether the bus could have such a name at all.
    static func isValid(_ name: String) -> Bool {
        !name.utf8.contains(0) && sd_bus_service_name_is_valid(name) > 0
    }
}
