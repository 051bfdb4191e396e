import CLinux

/// An instant of the clock that nobody can set, in nanoseconds.
struct MonotonicTime: Comparable {
    private let nanoseconds: Int64

    static let never = MonotonicTime(nanoseconds: .max)

    static func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: countersign_monotonic_nanoseconds())
    }

    static func + (left: MonotonicTime, right: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = right.components
        let added = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !added.overflow else { return .never }
        let sum = left.nanoseconds.addingReportingOverflow(added.partialValue + attoseconds / 1_000_000_000)
        return sum.overflow ? .never : MonotonicTime(nanoseconds: sum.partialValue)
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    func duration(to other: MonotonicTime) -> Duration { .nanoseconds(max(0, other.nanoseconds - nanoseconds)) }
}
