import Basics
import CEvent
import CLinux
import CSystemd
import Glibc
import Platform

/// The command bus on D-Bus, by sd-bus, on one event loop.
///
/// The connection belongs to the loop's thread: this actor runs there, sd-bus calls back there, and both check it. No
/// call here blocks the loop; what needs an answer from the daemon is asked asynchronously.
package actor DBusCommandBus: CommandBus {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop: EventLoop
    nonisolated let limits: BusLimits

    /// The connection; `nil` before it is made and after its end.
    var connection: OpaquePointer?
    /// The apps registered here, by name.
    var applications: [String: ExportedApplication] = [:]
    /// The calls that may start an app and have no answer yet, counted by the app's name.
    var starting: [String: Int] = [:]
    /// What sees everything that arrives, on a connection that only listens.
    var filter: MonitorFilter?
    /// What is known about other connections, by unique name.
    var peers = BusPeers()

    private var isStopping = false
    private var descriptorEvent: LoopEvent?
    private var timeout: LoopEvent?
    private var ownerChanges: OpaquePointer?
    private var calls: [Int: PendingCall] = [:]
    private var nextCall = 0
    private let ready = Promise<String>()
    private let flushed = Promise<Void>()
    private nonisolated let end = Promise<Void>()

    /// Connects to the bus at an address such as `unix:path=/run/user/1000/bus`.
    ///
    /// - Throws: `bus-unavailable` when there is no daemon, or it does not let this user in, or does not answer.
    package static func connect(
        address: String, loop: EventLoop, limits: BusLimits = BusLimits()
    ) async throws -> DBusCommandBus {
        let bus = DBusCommandBus(loop: loop, limits: limits)
        do {
            try await bus.connect(to: address)
        } catch {
            await bus.stop()
            throw error
        }
        return bus
    }

    private init(loop: EventLoop, limits: BusLimits) {
        self.loop = loop
        self.limits = limits
    }

    isolated deinit { close(Fault(.busUnavailable)) }

    /// This connection's unique name.
    package var uniqueName: String? { try? ready.outcome?.get() }

    /// Returns when the connection has ended, by `stop()` or because the bus has gone.
    package nonisolated func ended() async throws { try await end.value() }

    package func stop() async {
        guard let connection, !isStopping else { return }
        isStopping = true
        var queued: UInt64 = 0
        sd_bus_get_n_queued_write(connection, &queued)
        if queued > 0 {
            // A daemon that does not read must not hold us for ever.
            let patience = loop.timer { [flushed] in flushed.fulfil() }
            patience.schedule(after: limits.flushTimeout)
            try? await flushed.value()
            patience.free()
        }
        close(Fault(.busUnavailable, "This app has left the bus."))
    }
}

// MARK: Connecting

extension DBusCommandBus {
    private func connect(to address: String) async throws {
        loop.checkThread()
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { throw Fault(.busUnavailable) }
        connection = made
        guard !address.utf8.contains(0), sd_bus_set_address(made, address) >= 0 else {
            throw Fault(
                .busUnavailable, "That is no address of a bus: \(address)",
                next: "Give one such as unix:path=/run/user/1000/bus")
        }
        sd_bus_set_bus_client(made, 1)
        // Nobody has a reason to put descriptors into our process.
        sd_bus_negotiate_fds(made, 0)
        let status = sd_bus_start(made)
        guard status >= 0 else { throw BusFault.fault(status, "sd_bus_start") }
        timeout = loop.timer { [weak self] in self?.assumeIsolated { $0.pump() } }
        descriptorEvent = loop.watch(descriptor: sd_bus_get_fd(made), events: 0) { [weak self] _ in
            self?.assumeIsolated { $0.pump() }
        }
        let patience = loop.timer { [ready] in
            ready.settle(.failure(Fault(.busUnavailable, "The bus does not answer.")))
        }
        patience.schedule(after: limits.daemonTimeout)
        defer { patience.free() }
        rearm()
        _ = try await ready.value()
        try await followOwnerChanges()
    }

    /// Has the daemon tell who comes and goes: the end of a connection ends what is known about it.
    private func followOwnerChanges() async throws {
        guard let connection else { throw Fault(.busUnavailable) }
        let rule = """
            type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',\
            member='NameOwnerChanged'
            """
        // Without a callback for the daemon's answer sd-bus ends the connection when the rule is refused, which is as
        // it should be: without these signals nothing here would be true.
        let status = sd_bus_add_match_async(
            connection, &ownerChanges, rule,
            { message, context, _ in
                guard let message, let context else { return 0 }
                // The slot is given back before the bus goes.
                let bus = Unmanaged<DBusCommandBus>.fromOpaque(context).takeUnretainedValue()
                let reader = BusMessage(message)
                guard let name = reader.readString(), let old = reader.readString(), let new = reader.readString()
                else { return 0 }
                bus.assumeIsolated { $0.peers.ownerChanged(of: name, from: old, to: new) }
                return 0
            }, nil, Unmanaged.passUnretained(self).toOpaque())
        guard status >= 0 else { throw BusFault.fault(status, "sd_bus_add_match_async") }
        // The daemon takes our messages in order: once this is answered, the rule holds.
        _ = try await call(.daemon("GetId", [], timeout: limits.daemonTimeout)) { $0.readString() }
    }
}

// MARK: The loop

extension DBusCommandBus {
    /// Lets sd-bus work, for so long that other sockets of the loop get their turn.
    private func pump() {
        loop.checkThread()
        guard let connection else { return }
        var status: Int32 = 1
        var rounds = 0
        while status > 0, rounds < 64 {
            status = sd_bus_process(connection, nil)
            rounds += 1
        }
        guard status >= 0, sd_bus_is_open(connection) > 0 else {
            return close(Fault(.busUnavailable, "The bus has gone.", detail: "error \(-status)"))
        }
        if ready.outcome == nil, sd_bus_is_ready(connection) > 0 {
            var name: UnsafePointer<CChar>?
            sd_bus_get_unique_name(connection, &name)
            if let name { ready.fulfil(String(cString: name)) }
        }
        if isStopping {
            var queued: UInt64 = 0
            sd_bus_get_n_queued_write(connection, &queued)
            if queued == 0 { flushed.fulfil() }
        }
        rearm()
    }

    /// Tells the loop what sd-bus waits for. Called after everything that may have queued a message.
    func rearm() {
        loop.checkThread()
        guard let connection, let descriptorEvent, let timeout else { return }
        let mask = sd_bus_get_events(connection)
        var until = UInt64.max
        guard mask >= 0, sd_bus_get_timeout(connection, &until) >= 0 else {
            // The connection is closing: sd-bus ends its calls in the next rounds.
            return timeout.schedule(after: .zero)
        }
        let reads = mask & POLLIN != 0 ? Int16(EV_READ) : 0
        let writes = mask & POLLOUT != 0 ? Int16(EV_WRITE) : 0
        descriptorEvent.set(events: reads | writes)
        guard until != .max else { return timeout.disarm() }
        let elapsed = UInt64(countersign_monotonic_nanoseconds()) / 1_000
        timeout.schedule(after: .microseconds(until > elapsed ? Int64(clamping: until - elapsed) : 0))
    }

    /// Ends the connection: every call ends with the fault, every name is given up.
    private func close(_ fault: Fault) {
        guard let connection else { return }
        self.connection = nil
        descriptorEvent?.free()
        timeout?.free()
        sd_bus_slot_unref(ownerChanges)
        ownerChanges = nil
        let unanswered = calls.sorted { $0.key < $1.key }.map(\.value)
        calls = [:]
        for call in unanswered { call.fail(fault) }
        applications = [:]
        filter = nil
        peers.fail(fault)
        ready.settle(.failure(fault))
        sd_bus_close_unref(connection)
        flushed.fulfil()
        end.fulfil()
    }
}

// MARK: Calls

extension DBusCommandBus {
    /// Sends a call, and returns what `read` makes of the answer.
    func call<Value: Sendable>(
        _ call: BusCall, _ read: @escaping @Sendable (BusMessage) -> Value
    ) async throws -> Value {
        try await send(call, read).value()
    }

    /// Sends a call; the promise brings what `read` makes of the answer.
    func send<Value: Sendable>(
        _ call: BusCall, _ read: @escaping @Sendable (BusMessage) -> Value
    ) throws(Fault) -> Promise<Value> {
        loop.checkThread()
        guard let connection, !isStopping else { throw Fault(.busUnavailable) }
        var queued: UInt64 = 0
        sd_bus_get_n_queued_write(connection, &queued)
        guard queued < limits.outbox else { throw Fault(.busUnavailable, "The bus does not take messages.") }
        let promise = Promise<Value>()
        nextCall += 1
        let pending = PendingCall(call, number: nextCall, owner: self) { answer in
            promise.settle(answer.map(read).mapError { $0 })
        }
        let message = try call.message(on: connection)
        defer { sd_bus_message_unref(message) }
        let status = sd_bus_call_async(
            connection, &pending.slot, message, PendingCall.callback, Unmanaged.passUnretained(pending).toOpaque(),
            UInt64(clamping: call.timeout.wholeMicroseconds))
        guard status >= 0 else { throw BusFault.fault(status, "sd_bus_call_async") }
        calls[pending.number] = pending
        rearm()
        return promise
    }

    func forget(call number: Int) { calls[number] = nil }
}
