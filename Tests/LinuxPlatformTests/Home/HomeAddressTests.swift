import Basics
import LinuxPlatform
import Platform
import Testing

struct HomeAddressTests {
    let fixture: HomeFixture

    init() throws { fixture = try HomeFixture() }

    @Test func `a public URL is the issuer, as a plain origin`() async throws {
        let home = try await fixture.make(HomeSettings(publicURL: "https://IDP.example:8443/"))
        #expect(home.issuer == "https://idp.example:8443")
        #expect(home.authority == "idp.example:8443")
        #expect(!home.isTLS)
    }

    @Test func `with tls the issuer is https`() async throws {
        let home = try await fixture.make(HomeSettings(tls: true))
        #expect(home.issuer == "https://localhost:\(home.port)")
        #expect(home.isTLS)
    }

    @Test(arguments: [
        HomeSettings(publicURL: "http://idp.example"), HomeSettings(publicURL: "https://idp.example/base"),
        HomeSettings(publicURL: "https://idp.example/?a=b"), HomeSettings(publicURL: "https://me@idp.example"),
        HomeSettings(publicURL: "ftp://localhost"), HomeSettings(publicURL: "idp.example"),
        HomeSettings(publicURL: "http://localhost.example"),
        HomeSettings(publicURL: "http://localhost:4711", tls: true),
        HomeSettings(listen: "0.0.0.0"), HomeSettings(publicURL: "http://localhost:4711", listen: "0.0.0.0"),
        HomeSettings(listen: "127.0.0.1:0"), HomeSettings(listen: "127.0.0.1:70000"), HomeSettings(listen: ""),
        HomeSettings(listen: "[::1"), HomeSettings(listen: "127.0.0.1:4711", port: 4712),
    ])
    func `anything but loopback must be https, and an address a plain one`(settings: HomeSettings) async throws {
        await #expect(throws: Fault(.addressRefused)) { try await fixture.make(settings) }
        #expect(throws: Fault(.homeMissing)) { try Home.open(at: fixture.path, isDefault: false) }
    }

    @Test(arguments: [
        (HomeSettings(publicURL: "https://idp.example", listen: "0.0.0.0"), "0.0.0.0"),
        (HomeSettings(listen: "0.0.0.0", tls: true), "0.0.0.0"), (HomeSettings(listen: "127.0.0.1"), nil),
        (HomeSettings(listen: "[::1]"), nil), (HomeSettings(listen: "localhost"), nil),
    ])
    func `the address to listen at is kept`(settings: HomeSettings, listen: String?) async throws {
        #expect(try await fixture.make(settings).file.listen == listen)
    }

    @Test func `an address that the machine does not have is refused before anything is fixed`() async throws {
        await #expect(throws: Fault(.addressUnavailable)) {
            try await fixture.make(HomeSettings(listen: "192.0.2.1", tls: true))
        }
        #expect(throws: Fault(.homeMissing)) { try Home.open(at: fixture.path, isDefault: false) }
    }

    @Test func `a later start may repeat how the home was made, and not change it`() async throws {
        let made = try await fixture.make(HomeSettings(publicURL: "https://idp.example"))
        for settings in [
            HomeSettings(), HomeSettings(publicURL: "https://idp.example/"), HomeSettings(port: made.port),
            HomeSettings(listen: "127.0.0.1:\(made.port)"),
        ] {
            #expect(try await fixture.make(settings).file == made.file)
        }
        for settings in [
            HomeSettings(publicURL: "https://other.example"), HomeSettings(port: made.port - 1),
            HomeSettings(tls: true),
            HomeSettings(publicURL: "https://idp.example", listen: "0.0.0.0"),
        ] {
            await #expect(throws: Fault(.issuerFixed)) { try await fixture.make(settings) }
        }
        #expect(try Home.open(at: fixture.path, isDefault: false).file == made.file)
    }

    @Test func `only moving changes the issuer, and keeps the port and the day`() async throws {
        let made = try await fixture.make()
        let moved = try await made.movingIssuer(
            to: HomeSettings(publicURL: "https://idp.example"), environment: fixture.environment)
        #expect(moved.issuer == "https://idp.example")
        #expect(moved.port == made.port)
        #expect(try Home.open(at: fixture.path, isDefault: false).file == moved.file)
        await #expect(throws: Fault(.addressRefused)) {
            try await moved.movingIssuer(
                to: HomeSettings(publicURL: "http://idp.example"), environment: fixture.environment)
        }
        #expect(try Home.open(at: fixture.path, isDefault: false).issuer == "https://idp.example")
    }

    @Test func `the provider's socket is one, whoever asks first`() async throws {
        let home = try await fixture.make()
        let socket = try home.providerSocket(variables: fixture.variables)
        #expect(socket.hasPrefix(fixture.root + "/countersign-"))
        #expect(socket.utf8.count < 107)
        #expect(try home.providerSocket(variables: ["TMPDIR": "/tmp"]) == socket)
        let other = try await fixture.make(at: fixture.root + "/other")
        #expect(try other.providerSocket(variables: fixture.variables) != socket)
    }
}
