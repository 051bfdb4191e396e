import Basics
import Glibc
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

@Suite struct IdleWatchTests {
    private static let limit = Duration.seconds(300)

    /// Runs `story` with a watch of five minutes, and returns how long it took the watch to find nothing to do.
    private func idleTime(
        isBusy: @escaping @Sendable (Timestamp) -> Bool = { _ in false },
        story: @escaping @Sendable (IdleWatch, Environment) async throws -> Void = { _, _ in }
    ) throws -> Duration {
        try Simulation(seed: 5).run { environment in
            let watch = IdleWatch(limit: Self.limit, environment: environment)
            let start = environment.now()
            environment.spawn("story") { try await story(watch, environment) }
            try await watch.untilIdle { isBusy(environment.now()) }
            return environment.now() - start
        }
    }

    @Test func `an app that nothing reaches is idle after the limit`() throws {
        #expect(try idleTime() == Self.limit)
    }

    @Test func `what reaches it begins the time anew, and what is under way holds it`() throws {
        let touched = try idleTime(story: { watch, environment in
            try await environment.sleep(for: .seconds(299))
            await watch.during {}
        })
        #expect(touched > Self.limit && touched <= Self.limit * 2)
        let held = try idleTime(story: { watch, environment in
            try await watch.during { try await environment.sleep(for: .seconds(1_000)) }
        })
        #expect(held >= .seconds(1_000) + Self.limit)
    }

    @Test func `a flow under way holds it`() throws {
        let limit = Self.limit
        let end = Mutex<Timestamp?>(nil)
        let held = try idleTime(isBusy: { now in
            end.withLock { end in
                let last = end ?? now + limit * 3
                end = last
                return now < last
            }
        })
        #expect(held >= Self.limit * 4)
    }

    @Test func `it leaves at once when it is asked to`() throws {
        let time = try idleTime(story: { watch, environment in
            try await environment.sleep(for: .seconds(2))
            watch.leave()
        })
        #expect(time == .seconds(2))
    }

    @Test func `only the same user can ask an activated app to leave, and one that a person started never does`() throws
    {
        try Simulation(seed: 5).run { environment in
            let daemon = InMemoryBusDaemon(environment: environment)
            let app = daemon.connect(userID: geteuid())
            let caller = daemon.connect(userID: geteuid())
            _ = try await app.register("org.example.app") { _ in }
            #expect(try await ActivatedApp.makeWay(of: "org.example.app", on: caller, environment) == false)
            let watch = IdleWatch(environment: environment)
            try await ActivatedApp.register("org.example.app", on: app, watch)
            let start = environment.now()
            let stranger = daemon.connect(userID: geteuid() + 1)
            #expect(try await ActivatedApp.makeWay(of: "org.example.app", on: stranger, environment) == false)
            environment.spawn("app") {
                try await watch.untilIdle()
                await app.stop()
            }
            #expect(try await ActivatedApp.makeWay(of: "org.example.app", on: caller, environment))
            #expect(environment.now() - start == .seconds(20))
        }
    }
}
