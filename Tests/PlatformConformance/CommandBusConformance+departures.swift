import Basics
import Platform

extension CommandBusConformance {
    static let departureChecks: [Check] = [
        (
            name: "a departure is told when the connection leaves, and not before",
            run: { connect, environment in
                let (app, watcher) = (try await connect(), try await connect())
                let registration = try await app.register(name("Departure")) { _ in }
                let told = Promise<Void>()
                let watch = environment.spawn("watch") {
                    try await watcher.departure(of: registration.uniqueName)
                    told.fulfil()
                }
                // Two questions after the watch has begun: it would have been told by now.
                for _ in 0..<2 { _ = try await watcher.owner(of: name("Departure")) }
                try require(told.outcome == nil, "nothing is told while it is there")
                await registration.withdraw()
                _ = try await watcher.owner(of: name("Departure"))
                try require(told.outcome == nil, "giving a name back is not leaving")
                await app.stop()
                try await soon(environment, "the departure") { try await watch.value }
                await watcher.stop()
            }
        ),
        (
            name: "the departure of one that has left is told at once",
            run: { connect, environment in
                let (app, watcher) = (try await connect(), try await connect())
                let registration = try await app.register(name("Left")) { _ in }
                await app.stop()
                for _ in 0..<2 {
                    try await soon(environment, "the departure") {
                        try await watcher.departure(of: registration.uniqueName)
                    }
                }
                await watcher.stop()
            }
        ),
        (
            name: "a watch that is cancelled ends, and the connections go on",
            run: { connect, environment in
                let (app, watcher) = (try await connect(), try await connect())
                let inbox = Inbox()
                let registration = try await app.register(name("Cancelled")) { await inbox.receive($0) }
                let watch = environment.spawn("watch") {
                    try await watcher.departure(of: registration.uniqueName)
                }
                _ = try await watcher.owner(of: name("Cancelled"))
                watch.cancel()
                do {
                    try await soon(environment, "the end of the watch") { try await watch.value }
                    throw ConformanceFailure("a cancelled watch throws CancellationError")
                } catch is CancellationError {}
                try await watcher.open("x:y", at: name("Cancelled"), startIfNeeded: false)
                _ = try await inbox.first(1, within: environment)
                await app.stop()
                await watcher.stop()
            }
        ),
    ]
}
