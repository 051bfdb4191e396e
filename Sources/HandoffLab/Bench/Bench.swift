import Basics
import IdentityClient
import LinuxPlatform
package import Platform

/// The benchmark: what the product costs on this machine, on real parts. It measures and never judges.
package struct Bench: Sendable {
    private let programs: DevicePrograms
    private let environment: Environment
    private let isQuick: Bool
    private let tell: @Sendable (String) -> Void

    /// Makes a benchmark.
    ///
    /// - Parameter isQuick: runs each part for a moment only, to see that it works.
    package init(
        programs: DevicePrograms, environment: Environment, isQuick: Bool, tell: @escaping @Sendable (String) -> Void
    ) {
        self.programs = programs
        self.environment = environment
        self.isQuick = isQuick
        self.tell = tell
    }

    /// Runs every part and hands each row to `row` as it is measured.
    package func run(_ row: @Sendable (BenchRow) -> Void) async throws {
        for measured in try await SignatureBench(isQuick: isQuick).run() { row(measured) }
        for measured in try await LoopBench(isQuick: isQuick).run() { row(measured) }
        let place = try DemoPlace(keeping: nil, environment: environment)
        let device = DeviceRunner(home: place.home, programs: programs, environment: environment)
        do {
            try await runDevice(device, row)
            await device.stopAll()
            place.leave()
        } catch {
            await device.stopAll()
            place.leave()
            throw error
        }
    }

    private func runDevice(_ device: DeviceRunner, _ row: @Sendable (BenchRow) -> Void) async throws {
        let password = Secret(environment.uuid())
        try await device.idp(["users", "add", Demo.user, "--password-file", "-"], input: password)
        for measured in try await StartBench(programs: programs, home: device.home, isQuick: isQuick).run() {
            row(measured)
        }
        _ = try await device.serveIDP(prompt: "script:allow", more: ["--loops", "1"])
        try await device.idp(["login", "--user", Demo.user, "--password-file", "-"], input: password)
        try await device.idp(
            ["apps", "add", HandoffBench.app, "--exec", programs.own, "--scheme", HandoffBench.app])
        guard let server = device.servingProcesses.first else { throw Fault(.benchFailed) }
        let memory = MemoryProbe(processID: server)
        row(BenchRow("PSS of countersign-idp, idle", unit: "MiB", value: try memory.mebibytes()))
        tell("hand-offs over D-Bus …")
        let handoffs = try await HandoffBench(home: device.home, isQuick: isQuick).run()
        for measured in handoffs { row(measured) }
        tell("requests over HTTP …")
        for measured in try await ProviderBench(home: device.home, isQuick: isQuick).run() { row(measured) }
        row(BenchRow("PSS of countersign-idp, after load", unit: "MiB", value: try memory.mebibytes()))
    }
}
