import Basics
import TestSupport
import Testing

@testable import IdentityClient

@Suite struct `A sender of refused commands` {
    private let start = Timestamp(seconds: 1_000)

    @Test(.rule("S21")) func `is dropped unread after the twentieth within ten seconds, and read again later`() {
        var throttle = FailureThrottle()
        for _ in 1...19 { throttle.note(":1.5", now: start) }
        #expect(!throttle.isBlocked(":1.5", now: start))
        throttle.note(":1.5", now: start)
        #expect(throttle.isBlocked(":1.5", now: start))
        #expect(throttle.isBlocked(":1.5", now: start + .seconds(9)))
        #expect(!throttle.isBlocked(":1.5", now: start + .seconds(10)))
    }

    @Test func `does not silence another sender`() {
        var throttle = FailureThrottle()
        for _ in 1...30 { throttle.note(":1.5", now: start) }
        #expect(!throttle.isBlocked(":1.6", now: start))
    }

    @Test func `that opens connection after connection does not fill the memory`() {
        var throttle = FailureThrottle()
        for number in 1...10_000 { throttle.note(":1.\(number)", now: start) }
        let held = Mirror(reflecting: throttle).children.compactMap { $0.value as? [String: [Timestamp]] }.first
        #expect(held?.count == 256)
        // Later there is room again.
        for _ in 1...20 { throttle.note(":1.99999", now: start + .seconds(20)) }
        #expect(throttle.isBlocked(":1.99999", now: start + .seconds(20)))
    }
}
