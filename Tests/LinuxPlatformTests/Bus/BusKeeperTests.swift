import Basics
import Glibc
import Platform
import Testing

@testable import LinuxPlatform

/// The program that is started as keeper.
enum KeeperProgram {
    static let command = [folder + "/countersign-idp"]

    /// Whether the program knows the hidden argument: without the rest of them it is a usage error.
    static var isThere: Bool {
        get async { await BusHome.run(command[0], PrivateBus.keeperWord).exit == .exited(2) }
    }

    private static var folder: String {
        let tests = PrivateBus.thisProgramAsKeeper[0]
        return String(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)])
    }
}

/// With a keeper: one of our programs, beside the test bundle.
@Suite(.enabled("a program beside the tests is a bus keeper", { await KeeperProgram.isThere }))
struct BusKeeperTests {
    private static let keeper = KeeperProgram.command

    @Test func `the keeper ends the daemon and itself when the last party leaves`() async throws {
        try await BusHome.with { home in
            let one = try await home.join(keeper: Self.keeper)
            let two = try await home.join(keeper: Self.keeper)
            let record = try #require(try home.record())
            let (daemon, keeper) = (try #require(record.daemon), try #require(record.keeper))
            #expect(one.address == two.address && keeper.isAlive)
            await one.leave()
            await two.leave()
            #expect(try await becomesTrue { !daemon.isAlive && !keeper.isAlive })
            #expect(try home.record() == nil)
        }
    }

    @Test func `the keeper ends the daemon when the last party was killed`() async throws {
        try await BusHome.with { home in
            let starter = try await home.join(keeper: Self.keeper)
            let record = try #require(try home.record())
            let (daemon, keeper) = (try #require(record.daemon), try #require(record.keeper))
            // A party in another process: all that makes it one is the shared lock.
            let processes = LinuxChildProcesses(tellsParentsEnd: false)
            let party = try await processes.start(
                ChildCommand(
                    "flock",
                    ["--shared", "--no-fork", home.path + "/run/bus.parties", "sh", "-c", "echo in; exec sleep 60"]))
            var lines = party.outputLines.makeAsyncIterator()
            #expect(await lines.next() == "in")
            await starter.leave()
            let late = try await home.join(keeper: Self.keeper)
            #expect(try home.record()?.daemon == daemon)
            await late.leave()
            #expect(daemon.isAlive)
            party.signal(SIGKILL)
            #expect(await party.exit() == .signalled(SIGKILL))
            #expect(try await becomesTrue { !daemon.isAlive && !keeper.isAlive })
        }
    }

    @Test func `a keeper that is told to end takes the daemon with it`() async throws {
        try await BusHome.with { home in
            let party = try await home.join(keeper: Self.keeper)
            let record = try #require(try home.record())
            record.keeper?.signal(SIGTERM)
            #expect(try await becomesTrue { record.daemon?.isAlive == false && record.keeper?.isAlive == false })
            await party.leave()
        }
    }

    @Test func `parties that come and go all the time never lose the daemon under them`() async throws {
        try await BusHome.with { home in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            let party = try await home.join(keeper: Self.keeper)
                            #expect(BusAddress.answers(party.address))
                            await party.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await becomesTrue { try home.record() == nil })
        }
    }

    @Test func `a killed keeper's daemon is found, used and ended by the parties`() async throws {
        try await BusHome.with { home in
            let one = try await home.join(keeper: Self.keeper)
            let record = try #require(try home.record())
            record.keeper?.signal(SIGKILL)
            #expect(try await becomesTrue { record.keeper?.isAlive == false })
            let two = try await home.join(keeper: Self.keeper)
            #expect(two.address == one.address)
            await one.leave()
            #expect(record.daemon?.isAlive == true)
            await two.leave()
            #expect(record.daemon?.isAlive == false)
        }
    }
}
