import Basics
import CommandLineInterface
import IdentityBroker
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// What the bus starts: as `serve`, with nobody at it, until nothing has reached it for a while.
    static let activated = CommandLineInterface.Command(
        "activated", "serve as the bus has started it", options: [.idle], isHidden: true
    ) { call in
        ActivatedApp.leaveStandardStreams()
        let idle = try call.duration("--idle") ?? IdleWatch.usualLimit
        return try await Device.run(call) { device in
            let watch = IdleWatch(limit: idle, environment: device.environment)
            try await ActivatedApp.run(
                AppEnrolment.identityProviderID, of: device.home, now: device.environment.now
            ) {
                try await device.serve(call, loops: 1, watch: watch)
            }
            return .done
        }
    }
}

extension Option {
    /// How long an activated app stays without work; for tests.
    static let idle = Option("--idle", "TIME", values: .duration, "how long to stay without work")
}
