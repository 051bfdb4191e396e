import Basics
import CommandLineInterface
import IdentityClient
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// What the bus starts: as `serve`, with nobody at it, until nothing has reached it for a while.
    static let activated = CommandLineInterface.Command(
        "activated", "be the app as the bus has started it",
        options: [Option("--idle", "TIME", values: .duration, "how long to stay without work")], isHidden: true
    ) { call in
        ActivatedApp.leaveStandardStreams()
        let environment = Environment.live()
        let home = try ClientSession.home(call)
        let id = call.option("--app") ?? ClientSession.defaultApp
        let watch = IdleWatch(limit: try call.duration("--idle") ?? IdleWatch.usualLimit, environment: environment)
        return try await ActivatedApp.run(id, of: home, now: environment.now) {
            try await ClientSession.run(call, watch: watch) { session in
                try await ActivatedApp.register(id, on: session.open.bus, watch)
                guard try await session.join() else { throw Fault(.busNameTaken) }
                session.tidyNowAndThen()
                try await session.untilIdle(watch)
                return .done
            }
        }
    }
}

extension ClientSession {
    /// Waits until nothing is left to do, or the bus has gone.
    fileprivate func untilIdle(_ watch: IdleWatch) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [client, bus = open.bus] group in
            group.addTask {
                try await bus.ended()
                throw Fault(.busUnavailable, "The bus has gone.")
            }
            group.addTask { try await watch.untilIdle { (try? await client.hasFlowsUnderWay()) ?? false } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
