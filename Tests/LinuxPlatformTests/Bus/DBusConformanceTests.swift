import Platform
import PlatformConformance
import Testing

@testable import LinuxPlatform

@Suite struct DBusConformanceTests {
    @Test(arguments: CommandBusConformance.checks.map(\.name))
    func `the bus keeps the rule of every command bus`(_ rule: String) async throws {
        let check = try #require(CommandBusConformance.checks.first { $0.name == rule })
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let environment = Environment.live()
                try await check.run({ try await DBusCommandBus.connect(address: address, loop: loop) }, environment)
                await environment.stop()
            }
        }
    }
}
