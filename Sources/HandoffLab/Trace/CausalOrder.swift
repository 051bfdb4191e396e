import Basics
import Platform

/// One order for the lines of several apps, in which every cause stands before its effects.
///
/// Clocks of two processes may differ, and a line is written a moment after what it tells. So time only breaks ties: what
/// one process wrote keeps its order, a command is sent before it is taken, and a request begins before the provider
/// writes of it and ends after.
struct CausalOrder {
    /// A point in the order: a line, or the beginning of a request whose line tells its end.
    struct Point: Equatable {
        var entry: TraceEntry
        var isBeginning = false

        var time: Timestamp {
            isBeginning ? entry.time - .microseconds(entry.number("microseconds") ?? 0) : entry.time
        }
    }

    /// The points of some lines, in causal order; the same for the same lines, whatever order they come in.
    static func sorted(_ entries: [TraceEntry]) -> [Point] {
        let points =
            (entries.map { Point(entry: $0) }
            + entries.filter { $0.kind == .http }.map {
                Point(entry: $0, isBeginning: true)
            }).sorted(by: comesFirst)
        var causes = points.map { effect in points.indices.filter { isCause(points[$0], of: effect) } }
        var left = Array(points.indices)
        var order: [Point] = []
        while !left.isEmpty {
            // Lines that contradict each other (a clock that was set, a log that was edited) fall back to time.
            let next = left.first { causes[$0].isEmpty } ?? left[0]
            left.removeAll { $0 == next }
            for index in causes.indices { causes[index].removeAll { $0 == next } }
            order.append(points[next])
        }
        return order
    }

    /// By time, then by what each process counts: a total order, so that equal logs give equal traces.
    private static func comesFirst(_ left: Point, _ right: Point) -> Bool {
        func key(_ point: Point) -> (Timestamp, Int64, Int, String, Int64) {
            (point.time, point.entry.sequence, point.isBeginning ? 0 : 1, point.entry.app, point.entry.process ?? 0)
        }
        return key(left) < key(right)
    }

    private static func isCause(_ cause: Point, of effect: Point) -> Bool {
        let (first, second) = (cause.entry, effect.entry)
        if first == second { return cause.isBeginning && !effect.isBeginning }
        if first.isOfSameProcess(as: second) {
            // When a request began is told by the clock alone, and within one process the clock is one.
            if effect.isBeginning {
                return !cause.isBeginning && cause.time <= effect.time && first.sequence < second.sequence
            }
            return !cause.isBeginning && first.sequence < second.sequence
        }
        if let span = first.text("span"), span == second.text("span") {
            return first.kind == .http ? cause.isBeginning : second.kind == .http && !effect.isBeginning
        }
        guard first.kind == .sent, let command = first.text("jti") else { return false }
        return [.received, .refused].contains(second.kind) && second.text("jti") == command
    }
}
