import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform
import Synchronization

extension Command {
    /// Measures the product on this machine.
    static let bench = Command(
        "bench", "measure hand-offs, requests, signatures, start and memory on this machine",
        details: "Figures are of this machine, with everything real; client and server share its cores.",
        examples: [
            .init("countersign bench", "about half a minute"), .init("countersign bench --json", "for a program"),
            .init("countersign bench --quick", "see that every part works"),
        ],
        options: [Option("--quick", "run each part for a moment only")]
    ) { call in
        let output = call.output
        let bench = Bench(
            programs: try .besideThis(), environment: Environment.live(executor: nil), isQuick: call.flag("--quick"),
            tell: { output.talk($0) })
        let rows = Collected()
        try await bench.run { row in
            rows.add(row)
            output.talk("  \(row.text)")
        }
        output.result(
            ["rows": .array(rows.all.map(\.json))], text: rows.all.map(\.text).joined(separator: "\n"))
        return .done
    }
}

/// The rows measured so far.
private final class Collected: Sendable {
    private let rows = Mutex<[BenchRow]>([])
    var all: [BenchRow] { rows.withLock(\.self) }
    func add(_ row: BenchRow) { rows.withLock { $0.append(row) } }
}

extension BenchRow {
    /// The row in words.
    fileprivate var text: String {
        let latency = [("p50", p50), ("p99", p99)].compactMap { name, value in
            value.map { "\(name) \($0.wholeMicroseconds) µs" }
        }
        let rounded = value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
        return ([name + ":", rounded, unit] + latency).joined(separator: " ")
    }
}
