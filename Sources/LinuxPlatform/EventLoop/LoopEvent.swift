import Basics
import CEvent
import Glibc

/// A descriptor watched by a loop, or a timer of it. Every member is called on the loop's thread only.
///
/// The loop keeps the event until `free()`; after that, and after the loop's end, calls do nothing.
// Unchecked: each member checks that it is on the loop's thread.
package final class LoopEvent: @unchecked Sendable {
    // Whoever holds an event holds its loop, or is called by it.
    private unowned let loop: EventLoop
    private let descriptor: Int32
    private var body: ((Int16) -> Void)?
    private var handle: OpaquePointer?
    private var mask: Int16 = 0

    init(_ loop: EventLoop, descriptor: Int32, _ body: @escaping (Int16) -> Void) {
        self.loop = loop
        self.descriptor = descriptor
        self.body = body
        if descriptor < 0 { handle = makeHandle(0) }
    }

    /// Watches for these events from now on: `EV_READ`, `EV_WRITE`, both or 0. Cheap when nothing changes.
    package func set(events: Int16) {
        loop.checkThread()
        guard body != nil, descriptor >= 0, events != mask else { return }
        if let handle { event_free(handle) }
        handle = events == 0 ? nil : makeHandle(events | Int16(EV_PERSIST))
        if let handle { event_add(handle, nil) }
        mask = events
    }

    /// Calls the timer's body once, after that time; an earlier schedule is forgotten.
    package func schedule(after delay: Duration) {
        loop.checkThread()
        precondition(descriptor < 0, "A watched descriptor has no schedule: make a timer.")
        guard let handle else { return }
        let microseconds = max(0, delay.wholeMicroseconds)
        var time = timeval(
            tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
        event_add(handle, &time)
    }

    /// Watches for nothing, or forgets the schedule.
    package func disarm() {
        loop.checkThread()
        guard descriptor < 0 else { return set(events: 0) }
        if let handle { event_del(handle) }
    }

    /// Calls the body once, soon: after the loop has looked at its sockets.
    package func activate() {
        loop.checkThread()
        guard body != nil else { return }
        loop.activate(self)
    }

    /// Ends the event. The body is not called any more, and what it holds is let go.
    package func free() {
        loop.checkThread()
        guard body != nil else { return }
        if let handle { event_free(handle) }
        handle = nil
        body = nil
        mask = 0
        loop.forget(self)
    }

    func fire(_ events: Int16) { body?(events) }

    private func makeHandle(_ events: Int16) -> OpaquePointer? {
        event_new(
            loop.base, descriptor, events,
            { _, events, context in
                guard let context else { return }
                Unmanaged<LoopEvent>.fromOpaque(context).takeUnretainedValue()
                    .fire(events & Int16(EV_READ | EV_WRITE))
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
