import Basics
import CSystemd
import Platform

/// A connection that only listens: it sees every URL that anybody opens at an app on the bus.
package struct BusMonitor: Sendable {
    private let connection: DBusCommandBus

    /// Listens to the bus at an address from now on.
    ///
    /// - Parameter saw: takes each URL, in the order in which the daemon passes them on.
    /// - Throws: `bus-unavailable` where there is no daemon, or none that lets this user listen.
    package static func connect(
        address: String, loop: EventLoop, saw: @escaping @Sendable (String) -> Void
    ) async throws -> BusMonitor {
        let connection = try await DBusCommandBus.connect(address: address, loop: loop)
        do {
            try await connection.becomeMonitor(saw)
        } catch {
            await connection.stop()
            throw error
        }
        return BusMonitor(connection: connection)
    }

    /// Leaves the bus.
    package func stop() async { await connection.stop() }
}

extension DBusCommandBus {
    /// Makes the connection one that only listens (D-Bus Specification, `BecomeMonitor`).
    fileprivate func becomeMonitor(_ saw: @escaping @Sendable (String) -> Void) async throws {
        guard let connection else { throw Fault(.busUnavailable) }
        // There before the first message of others comes: sd-bus would answer it in their place, and the daemon ends a
        // monitor that says something.
        let filter = MonitorFilter(limits: limits, saw: saw)
        let status = sd_bus_add_filter(
            connection, &filter.slot, MonitorFilter.callback, Unmanaged.passUnretained(filter).toOpaque())
        guard status >= 0 else { throw BusFault.fault(status, "sd_bus_add_filter") }
        self.filter = filter
        let rule = "type='method_call',interface='\(ApplicationInterface.name)',member='Open'"
        var call = BusCall.daemon("BecomeMonitor", [.strings([rule]), .number(0)], timeout: limits.daemonTimeout)
        call.interface = "org.freedesktop.DBus.Monitoring"
        try await self.call(call) { _ in }
    }
}

/// Takes everything that arrives on a connection that only listens. Touched on the loop's thread only.
final class MonitorFilter {
    private let limits: BusLimits
    private let saw: @Sendable (String) -> Void
    /// What the filter holds in sd-bus.
    var slot: OpaquePointer?

    init(limits: BusLimits, saw: @escaping @Sendable (String) -> Void) {
        self.limits = limits
        self.saw = saw
    }

    deinit { sd_bus_slot_unref(slot) }

    /// What sd-bus calls for every message; 1 says that nobody else is to look at it.
    static let callback: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 1 }
        // The connection holds the filter as long as its slot.
        let filter = Unmanaged<MonitorFilter>.fromOpaque(context).takeUnretainedValue()
        filter.look(at: BusMessage(message))
        return 1
    }

    private func look(at message: BusMessage) {
        guard message.member == "Open", message.interface == ApplicationInterface.name,
            message.signature == "asa{sv}"
        else { return }
        for url in message.readStrings(atMost: limits.urlsPerCall, bytes: limits.bytesPerCall) { saw(url) }
    }
}
