import Basics
import FoundationEssentials
import Glibc
import JOSE
import LinuxPlatform
import Platform
import StrictYAML
import TestSupport
import Testing

struct HomeTests {
    let fixture: HomeFixture

    init() throws { fixture = try HomeFixture() }

    @Test func `a home keeps the issuer and port that it was made with`() async throws {
        let before = fixture.environment.now()
        let made = try await fixture.make()
        // The file keeps whole seconds.
        #expect(made.createdAt >= before - .seconds(1) && made.createdAt <= fixture.environment.now())
        #expect(made.issuer == "http://localhost:\(made.port)")
        #expect(made.authority == "localhost:\(made.port)")
        let again = try await fixture.make()
        #expect(again.file == made.file)
        #expect(try Home.open(at: fixture.path, isDefault: false).file == made.file)
    }

    @Test func `starts at the same time make one home`() async throws {
        let files = try await withThrowingTaskGroup(of: HomeFile.self) { group in
            for _ in 0..<5 { group.addTask { try await fixture.make().file } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(files.count == 5)
        #expect(files.allSatisfy { $0 == files[0] })
        let keys = try await Home.open(at: fixture.path, isDefault: false).providerSigningKeys(fixture.environment)
        #expect(keys.es256.algorithm == .es256 && keys.rs256.algorithm == .rs256)
    }

    @Test func `a port that others have taken meanwhile never changes the issuer`() async throws {
        let made = try await fixture.make()
        let loop = try EventLoop.start(name: "holder")
        let holder = try await HTTPServer.start(
            HTTPServerConfiguration(addresses: [.loopback(port: made.port)], authority: .exactly("holder")),
            handler: NobodyHome(), loops: [loop])
        let again = try await fixture.make()
        #expect(again.file == made.file)
        await holder.stop(grace: .zero)
        loop.stop()
    }

    @Test func `the port lies below the range from which the system takes ports`() async throws {
        let words = try fixture.text("/proc/sys/net/ipv4/ip_local_port_range").split(whereSeparator: \.isWhitespace)
        let lowest = try #require(words.first.flatMap { UInt16($0) })
        let port = try await fixture.make().port
        // Where that range begins right after the reserved ports there is nothing below it.
        if lowest >= 12_000 { #expect(port < lowest && port >= 10_000) }
    }

    @Test func `a port asked for is taken when it is free and refused when it is not`() async throws {
        let loop = try EventLoop.start(name: "holder")
        let holder = try await HTTPServer.start(
            HTTPServerConfiguration(addresses: [.loopback(port: 0)], authority: .host("localhost")),
            handler: NobodyHome(), loops: [loop])
        let port = try #require(holder.port)
        await #expect(throws: Fault(.portTaken)) { try await fixture.make(HomeSettings(port: port)) }
        await #expect(throws: Fault(.portTaken)) {
            try await fixture.make(HomeSettings(publicURL: "http://localhost:\(port)"))
        }
        await holder.stop(grace: .zero)
        loop.stop()
        #expect(try await fixture.make(HomeSettings(port: port)).issuer == "http://localhost:\(port)")
    }

    @Test(.rule("A184")) func `everything in a home is its owner's alone`() async throws {
        let home = try await fixture.make()
        _ = try await fixture.enrol(HomeFixture.client(), in: home)
        _ = try home.providerSocket(variables: fixture.variables)
        let modes = try fixture.modes(under: fixture.path)
        for name in ["home.yaml", "ca/ca.pem", "records.sqlite", "secrets/secrets.key", "run/setup.lock"] {
            #expect(modes[name] == 0o600, "\(name)")
        }
        for name in ["", "ca", "secrets", "apps", "apps/com.example.notes", "run", "log"] {
            #expect(modes[name] == 0o700, "\(name)")
        }
        #expect(modes["apps/com.example.notes/app.yaml"] == 0o600)
        for (name, mode) in modes { #expect(mode & 0o077 == 0, "\(name)") }
    }

    @Test func `a home that others can read is refused until it is closed`() async throws {
        _ = try await fixture.make()
        chmod(fixture.path + "/home.yaml", 0o644)
        await #expect(throws: Fault(.unsafePermissions)) { try await fixture.make() }
        chmod(fixture.path + "/home.yaml", 0o600)
        #expect(throws: Never.self) { try Home.open(at: fixture.path, isDefault: false) }
        chmod(fixture.path, 0o755)
        #expect(throws: Fault(.unsafePermissions)) { try Home.open(at: fixture.path, isDefault: false) }
        chmod(fixture.path, 0o700)
    }

    @Test func `a folder that is no home is told to be none, whoever may read it`() async throws {
        mkdir(fixture.path, 0o755)
        #expect(throws: Fault(.homeMissing)) { try Home.open(at: fixture.path, isDefault: false) }
        chmod(fixture.path, 0o700)
        #expect(throws: Fault(.homeMissing)) { try Home.open(at: fixture.path, isDefault: false) }
        _ = try await fixture.make()
        #expect(throws: Never.self) { try Home.open(at: fixture.path, isDefault: false) }
    }

    @Test func `a home of a newer program is refused and left as it is`() async throws {
        let home = try await fixture.make()
        let text = try fixture.text(home.layout.description)
        let newer = text.replacing("schema: 1", with: "schema: 2") + "new: key\n"
        try fixture.write(newer, to: home.layout.description)
        await #expect(throws: Fault(.homeTooNew)) { try await fixture.make() }
        #expect(try fixture.text(home.layout.description) == newer)
        try fixture.write(text, to: home.layout.description)
        #expect(try await fixture.make().file == home.file)
    }

    @Test(arguments: [
        ("schema: 1", "schema: one", ":1:"), ("tls: false", "tls: no", ":5:"), ("port: ", "port: 0", ":4:"),
        ("issuer: ", "issuer: \"http://idp.example\" # ", ":3:"), ("created-at: ", "created-at: today # ", ":2:"),
        ("tls: false", "tls: false\ntls: true", ":6:"), ("tls: false", "colour: red", ":5:"),
    ])
    func `an unreadable home file is refused with its line, and never overwritten`(
        original: String, damage: String, place: String
    ) async throws {
        let home = try await fixture.make()
        let damaged = try fixture.text(home.layout.description).replacing(original, with: damage)
        try fixture.write(damaged, to: home.layout.description)
        let fault = await #expect(throws: Fault.self) { try await fixture.make() }
        #expect(fault?.code == .invalidYAML)
        #expect(fault?.text.contains("home.yaml" + place) == true, "\(fault?.text ?? "")")
        #expect(try fixture.text(home.layout.description) == damaged)
    }

    @Test func `no home is made among other files, but one that was cut off is finished`() async throws {
        let folder = try PrivateDirectory(creating: fixture.path)
        try fixture.write("mine", to: folder.path(of: "letter.txt"))
        await #expect(throws: Fault(.homeNotOurs)) { try await fixture.make() }
        #expect(try folder.names() == ["letter.txt"])
        try folder.file("letter.txt").remove()

        let home = try await fixture.make()
        let before = try await home.providerSigningKeys(fixture.environment)
        try PrivateFile(path: home.layout.description).remove()
        #expect(throws: Fault(.homeMissing)) { try Home.open(at: fixture.path, isDefault: false) }
        let finished = try await fixture.make()
        #expect(try await finished.providerSigningKeys(fixture.environment).es256.keyID == before.es256.keyID)
    }

    @Test(.rule("A056")) func `a home without its secrets is refused and gets no new ones`() async throws {
        let home = try await fixture.make()
        _ = try await home.providerSigningKeys(fixture.environment)
        try FileManager.default.removeItem(atPath: home.layout.secrets)
        await #expect(throws: Fault(.homeIncomplete)) { try await home.providerSigningKeys(fixture.environment) }
        #expect(access(home.layout.secrets, F_OK) != 0)
    }

    @Test func `the folder is the option's, else the variable's, else the XDG state directory's`() throws {
        func path(_ option: String?, _ variables: [String: String]) throws -> String {
            let (path, isDefault) = try Home.path(option: option, environment: variables)
            return path + (isDefault ? " default" : "")
        }
        let variables = ["COUNTERSIGN_HOME": "/b/", "XDG_STATE_HOME": "/s", "HOME": "/h"]
        #expect(try path("/a//x/./y/", variables) == "/a/x/y")
        #expect(try path(nil, variables) == "/b")
        #expect(try path(nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/countersign default")
        #expect(try path(nil, ["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/countersign default")
        #expect(try path(nil, ["HOME": "/h", "COUNTERSIGN_HOME": ""]) == "/h/.local/state/countersign default")
        #expect(try path("/s/countersign", variables) == "/s/countersign default")
        #expect(try path("here", variables) == FileManager.default.currentDirectoryPath + "/here")
        #expect(throws: Fault(.homeMissing)) { try path("", variables) }
    }
}

struct NobodyHome: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse { HTTPResponse(status: 404) }
}
