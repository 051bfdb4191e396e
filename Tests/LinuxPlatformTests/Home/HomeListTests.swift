import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import StrictYAML
import Testing

struct HomeListTests {
    let fixture: HomeFixture

    init() throws { fixture = try HomeFixture() }

    @Test func `homes that were made are listed with their issuers`() async throws {
        #expect(try fixture.list.entries().isEmpty)
        let one = try await fixture.make()
        let (path, isDefault) = try Home.path(option: nil, environment: fixture.variables)
        let standard = try await Home.openOrCreate(
            at: path, isDefault: isDefault, environment: fixture.environment, list: fixture.list)
        let entries = try fixture.list.entries()
        #expect(entries.map(\.path) == [one.path, standard.path].sorted())
        #expect(entries.map(\.isDefault) == [false, true])
        #expect(entries.map(\.issuer) == [one.issuer, standard.issuer])
        #expect(one.port != standard.port)
        #expect(entries.allSatisfy { !$0.isRunning && $0.problem == nil })
    }

    @Test func `a home that cannot be read is listed with the reason`() async throws {
        let home = try await fixture.make()
        try fixture.write("schema: 99\n", to: home.layout.description)
        let entry = try #require(try fixture.list.entries().first)
        #expect(entry.issuer == nil)
        #expect(entry.problem?.contains("schema 99") == true)
    }

    @Test func `a home is not removed while a program uses it, and is afterwards`() async throws {
        let home = try await fixture.make()
        _ = try await fixture.enrol(HomeFixture.client(), in: home)
        let open = try await LinuxSurroundings.open(
            home, manifest: home.manifest(of: "com.example.notes"), SurroundingsRequest(variables: fixture.variables))
        #expect(try fixture.list.entries().map(\.isRunning) == [true])
        await #expect(throws: Fault(.homeBusy)) { try await fixture.list.remove(home.path) }
        #expect(try home.apps() == ["com.example.notes"])
        await open.close()
        #expect(try fixture.list.entries().map(\.isRunning) == [false])
        try await fixture.list.remove(home.path)
        #expect(access(home.path, F_OK) != 0)
        #expect(try fixture.list.entries().isEmpty)
    }

    @Test func `only what is a home of ours is removed`() async throws {
        let folder = try PrivateDirectory(creating: fixture.path)
        try fixture.write("mine", to: folder.path(of: "letter.txt"))
        await #expect(throws: Fault(.homeMissing)) { try await fixture.list.remove(fixture.path) }
        try fixture.write("schema: 1\n", to: folder.path(of: "home.yaml"))
        await #expect(throws: Fault(.invalidYAML)) { try await fixture.list.remove(fixture.path) }
        #expect(try folder.names() == ["home.yaml", "letter.txt"])
    }

    @Test func `what others put into a home stays`() async throws {
        let home = try await fixture.make()
        try fixture.write("mine", to: home.path + "/letter.txt")
        try await fixture.list.remove(home.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["letter.txt"])
    }
}
