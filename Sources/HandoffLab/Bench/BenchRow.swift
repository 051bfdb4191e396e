package import Basics

/// One measured figure.
package struct BenchRow: Sendable {
    package var name: String
    /// What `value` counts, such as `1/s`, `ms` or `MiB`.
    package var unit: String
    package var value: Double
    package var p50: Duration?
    package var p99: Duration?

    package init(_ name: String, unit: String, value: Double, p50: Duration? = nil, p99: Duration? = nil) {
        self.name = name
        self.unit = unit
        self.value = value
        self.p50 = p50
        self.p99 = p99
    }

    /// A row of how many a second, with the latencies of the single ones.
    init(_ name: String, latencies: [Duration], within elapsed: Duration) {
        let sorted = latencies.sorted()
        self.init(
            name, unit: "1/s", value: Double(latencies.count) / elapsed.seconds, p50: sorted.quantile(0.5),
            p99: sorted.quantile(0.99))
    }

    /// The row as `--json` prints it.
    package var json: JSONValue {
        [
            "name": .string(name), "unit": .string(unit), "value": .number((value * 1_000).rounded() / 1_000),
            "p50Microseconds": p50.map { .integer($0.wholeMicroseconds) } ?? .null,
            "p99Microseconds": p99.map { .integer($0.wholeMicroseconds) } ?? .null,
        ]
    }
}

extension [Duration] {
    /// The element of that rank of a sorted list.
    func quantile(_ part: Double) -> Duration? {
        isEmpty ? nil : self[Swift.min(count - 1, Int(Double(count) * part))]
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
