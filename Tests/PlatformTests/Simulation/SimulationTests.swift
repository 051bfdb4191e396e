import Basics
import Platform
import Testing

/// A world with all that a simulation orders: actors, groups, sleeps, a bus, a store, random bytes, offloaded work.
private func transcript(seed: UInt64) throws -> (lines: [String], steps: Int, end: Timestamp) {
    let simulation = Simulation(seed: seed, startingAt: Timestamp(seconds: 1_800_000_000))
    let tally = Tally()
    try simulation.run { environment in
        let daemon = InMemoryBusDaemon(environment: environment)
        let store = InMemoryRecordStore()
        let kind = RecordKind("test.row")
        for number in 0..<4 {
            let name = "org.example.App\(number)"
            _ = try await daemon.connect(environment: environment.party()).register(name) { delivery in
                tally.note("\(name) got \(delivery.content) at \(environment.now())")
                _ = try? await store.write(.full) { try $0.insert(Record(kind: kind, key: "\(delivery)", value: [])) }
            }
        }
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let bus = daemon.connect()
                    for round in 0..<5 {
                        let pause = environment.randomBytes(1)[0] % 5
                        try await environment.sleep(for: .milliseconds(Int(pause)))
                        let bytes = try await environment.offload { [UInt8](repeating: pause, count: 2) }
                        let url = "x:\(number).\(round).\(bytes)"
                        try await bus.open(url, at: "org.example.App\(number % 4)", startIfNeeded: false)
                    }
                }
            }
        }
        try await environment.sleep(for: .seconds(1))
        tally.note("\(try store.read { records in try records.list(kind).count }) rows")
    }
    return (tally.lines, simulation.steps, simulation.now)
}

@Suite struct `A simulation` {
    @Test func `equal seeds give equal worlds, and other seeds other orders`() throws {
        let first = try transcript(seed: 42)
        #expect(first.lines.count == 41)
        #expect(first.lines.last == "40 rows")
        for _ in 0..<3 {
            let again = try transcript(seed: 42)
            #expect(again.lines == first.lines)
            #expect(again.steps == first.steps)
            #expect(again.end == first.end)
        }
        let orders = try Set((1...10).map { try transcript(seed: $0).lines })
        #expect(orders.count == 10)
    }

    @Test func `worlds do not disturb each other, nor tasks beside them`() async throws {
        let expected = try transcript(seed: 7).lines
        try await withThrowingTaskGroup(of: [String]?.self) { group in
            for _ in 0..<8 {
                group.addTask { try transcript(seed: 7).lines }
                group.addTask {
                    // Plain tasks of other threads pass the hook untouched.
                    for _ in 0..<200 { await Task {}.value }
                    return nil
                }
            }
            for try await lines in group where lines != nil { #expect(lines == expected) }
        }
    }

    @Test func `the clock is virtual and starts where it is told to`() throws {
        let start = Timestamp(seconds: 1_000)
        let simulation = Simulation(seed: 1, startingAt: start)
        let times = try simulation.run { environment in
            let before = environment.now()
            try await environment.sleep(for: .seconds(86_400))
            return [before, environment.now()]
        }
        #expect(times == [start, start + .seconds(86_400)])
        #expect(simulation.now == start + .seconds(86_400))
    }

    @Test func `random bytes follow from the seed`() throws {
        func bytes(_ seed: UInt64) throws -> [UInt8] {
            try Simulation(seed: seed).run { environment in environment.randomBytes(20) + environment.randomBytes(3) }
        }
        #expect(try bytes(5) == bytes(5))
        #expect(try bytes(5) != bytes(6))
        #expect(try bytes(5).count == 23)
    }

    @Test func `an error of the body comes back`() {
        #expect(throws: Fault(.noOpener)) {
            try Simulation(seed: 1).run { _ in throw Fault(.noOpener) }
        }
    }

    @Test func `a cancelled sleep ends at once and does not move the clock`() throws {
        let simulation = Simulation(seed: 1)
        let start = simulation.now
        let wasCancelled = try simulation.run { environment in
            let sleeper = environment.spawn("sleeper") { try await environment.sleep(for: .seconds(3_600)) }
            try await environment.sleep(for: .seconds(1))
            sleeper.cancel()
            if case .failure(let error) = await sleeper.result { return error is CancellationError }
            return false
        }
        #expect(wasCancelled)
        #expect(simulation.now == start + .seconds(1))
    }

    @Test func `a deadline that is met costs no time, and one that is not throws its fault`() throws {
        let simulation = Simulation(seed: 1)
        let start = simulation.now
        let met = try simulation.run { environment in
            try await environment.withDeadline(.seconds(10), orThrow: Fault(.deadlinePassed)) { 1 }
        }
        #expect(met == 1)
        #expect(simulation.now == start)
        #expect(throws: Fault(.deadlinePassed)) {
            try simulation.run { environment in
                try await environment.withDeadline(.seconds(10), orThrow: Fault(.deadlinePassed)) {
                    try await environment.sleep(for: .seconds(11))
                }
            }
        }
        #expect(simulation.now == start + .seconds(10))
    }

    @Test func `what the root spawned is stopped with it`() throws {
        let tally = Tally()
        try Simulation(seed: 1).run { environment in
            environment.spawn("loop") {
                defer { tally.note("ended") }
                while true { try await environment.sleep(for: .seconds(1)) }
            }
            try await environment.sleep(for: .seconds(5))
        }
        #expect(tally.lines == ["ended"])
    }
}
