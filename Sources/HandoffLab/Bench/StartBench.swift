import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform

/// From starting `countersign-idp serve` to its first answer.
struct StartBench: Sendable {
    let programs: DevicePrograms
    let home: String
    let isQuick: Bool

    func run() async throws -> [BenchRow] {
        var starts: [Duration] = []
        for _ in 0..<(isQuick ? 1 : 7) { starts.append(try await once()) }
        let sorted = starts.sorted()
        let median = sorted.quantile(0.5) ?? .zero
        return [
            BenchRow(
                "start of countersign-idp to first answer", unit: "ms", value: median.seconds * 1_000, p50: median,
                p99: sorted.last)
        ]
    }

    private func once() async throws -> Duration {
        let port = try Home.open(at: home, isDefault: false).port
        let start = ContinuousClock.now
        let child = try await LinuxChildProcesses().start(
            ChildCommand(programs.idp, ["--home", home, "serve", "--json", "--no-input"]))
        let deadline = start + .seconds(10)
        var elapsed: Duration?
        while elapsed == nil, ContinuousClock.now < deadline {
            if (try? LoadConnection(port: port).roundTrip(LoadGenerator.discovery(port: port))) != nil {
                elapsed = ContinuousClock.now - start
            } else {
                usleep(500)
            }
        }
        child.signal(SIGTERM)
        _ = await child.exit()
        guard let elapsed else { throw Fault(.benchFailed, "countersign-idp did not answer within 10 s.") }
        return elapsed
    }
}
