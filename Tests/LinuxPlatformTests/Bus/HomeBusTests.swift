import Basics
import Glibc
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct HomeBusTests {
    @Test func `two parties share one daemon, and it ends when the last leaves`() async throws {
        try await BusHome.with { home in
            let one = try await home.join()
            let two = try await home.join()
            #expect(one.address == two.address && one.isPrivate)
            let daemon = try #require(try home.record()?.daemon)
            await one.leave()
            #expect(daemon.isAlive)
            await two.leave()
            #expect(!daemon.isAlive)
            #expect(try home.record() == nil)
            let path = try #require(BusAddress.path(of: one.address))
            #expect(access(path, F_OK) != 0)
            let three = try await home.join()
            #expect(try home.record()?.daemon != daemon)
            await three.leave()
        }
    }

    @Test func `parties that come at the same time start one daemon`() async throws {
        try await BusHome.with { home in
            let parties = try await withThrowingTaskGroup(of: HomeBus.self) { group in
                for _ in 0..<8 { group.addTask { try await home.join() } }
                var parties: [HomeBus] = []
                for try await party in group { parties.append(party) }
                return parties
            }
            #expect(Set(parties.map(\.address)).count == 1)
            let daemon = try #require(try home.record()?.daemon)
            await withTaskGroup(of: Void.self) { group in
                for party in parties { group.addTask { await party.leave() } }
            }
            #expect(!daemon.isAlive)
        }
    }

    @Test func `a daemon that was killed is replaced by the next party`() async throws {
        try await BusHome.with { home in
            let one = try await home.join()
            let first = try #require(try home.record()?.daemon)
            first.signal(SIGKILL)
            #expect(try await becomesTrue { !first.isAlive })
            let two = try await home.join()
            let second = try #require(try home.record()?.daemon)
            #expect(second.isAlive && second != first)
            await one.leave()
            #expect(second.isAlive)
            await two.leave()
            #expect(!second.isAlive)
        }
    }

    @Test(.rule("A190")) func `another bus than the home's is refused while the home is in use, and both are named`()
        async throws
    {
        try await BusHome.with { home in
            try await BusHome.with { other in
                let elsewhere = try await other.join()
                let party = try await home.join(.private)
                do {
                    _ = try await home.join(.address(elsewhere.address))
                    Issue.record("another bus was taken")
                } catch let fault as Fault {
                    #expect(fault.code == .busMismatch)
                    #expect(fault.text.contains(elsewhere.address) && fault.text.contains(party.address))
                }
                let same = try await home.join(.address(party.address))
                #expect(same.address == party.address)
                await same.leave()
                await party.leave()
                let free = try await home.join(.address(elsewhere.address))
                #expect(free.address == elsewhere.address && !free.isPrivate)
                await #expect(throws: Fault(.busMismatch)) { _ = try await home.join(.private) }
                await free.leave()
                #expect(try home.record() == nil)
                await elsewhere.leave()
            }
        }
    }

    @Test func `only the default home uses the session bus, and only where there is one`() async throws {
        try await BusHome.with { session in
            let sessionBus = try await session.join()
            let with = ["XDG_RUNTIME_DIR": session.path, "DBUS_SESSION_BUS_ADDRESS": sessionBus.address]
            try await BusHome.with { home in
                let party = try await home.join(isDefault: true, variables: with)
                #expect(party.address == sessionBus.address)
                // Who comes later without a choice uses what the first one found.
                let later = try await home.join(isDefault: true)
                #expect(later.address == sessionBus.address)
                await later.leave()
                await party.leave()
                let without = try await home.join(isDefault: true)
                #expect(without.isPrivate)
                await without.leave()
                let gone = ["XDG_RUNTIME_DIR": home.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"]
                let dead = try await home.join(isDefault: true, variables: gone)
                #expect(dead.isPrivate)
                await dead.leave()
            }
            try await BusHome.with { home in
                let other = try await home.join(isDefault: false, variables: with)
                #expect(other.isPrivate)
                await other.leave()
                let asked = try await home.join(.session, variables: with)
                #expect(asked.address == sessionBus.address)
                await asked.leave()
                await #expect(throws: Fault(.busUnavailable)) { _ = try await home.join(.session) }
            }
            await sessionBus.leave()
        }
    }

    @Test(.rule("A184"))
    func `the socket has a short name, and lies in the runtime folder or else in a folder of the user's`()
        async throws
    {
        try await BusHome.with { home in
            let deep = home.path + "/" + String(repeating: "deep/", count: 30) + "home"
            let folder = try BusFolder(home: deep)
            let inRuntime = try folder.socketPath(variables: ["XDG_RUNTIME_DIR": home.path])
            #expect(inRuntime.hasPrefix(home.path + "/countersign-") && inRuntime.utf8.count < 108)
            let inTemporary = try folder.socketPath(variables: ["TMPDIR": home.path])
            #expect(inTemporary.hasPrefix(home.path + "/countersign-\(geteuid())/"))
            // Open to others: somebody could put a socket of their own there.
            chmod(home.path + "/countersign-\(geteuid())", 0o755)
            #expect(throws: Fault(.unsafePermissions)) { try folder.socketPath(variables: ["TMPDIR": home.path]) }
            let open = home.path + "/open"
            mkdir(open, 0o777)
            chmod(open, 0o777)
            chmod(home.path + "/countersign-\(geteuid())", 0o700)
            #expect(
                try folder.socketPath(variables: ["XDG_RUNTIME_DIR": open, "TMPDIR": home.path]) == inTemporary)
        }
    }

    @Test(.rule("A190")) func `the option is session, private or an address`() throws {
        #expect(try BusSelection("session") == .session)
        #expect(try BusSelection("private") == .private)
        #expect(try BusSelection("unix:path=/run/bus") == .address("unix:path=/run/bus"))
        for text in ["", "Session", "bus", ":1.5"] {
            #expect(throws: Fault(.busUnavailable)) { try BusSelection(text) }
        }
    }

    @Test func `addresses escape what D-Bus would read otherwise`() {
        let path = "/tmp/a b,c;d=é/bus"
        #expect(BusAddress.path(of: BusAddress.unix(path: path)) == path)
        #expect(!BusAddress.unix(path: path).dropFirst(10).contains { " ,;=".contains($0) })
        #expect(BusAddress.isSame("unix:path=/a,guid=1", "unix:path=/a"))
        #expect(!BusAddress.isSame("unix:path=/a", "unix:path=/b"))
    }
}
