import Basics
import FoundationEssentials
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct DesktopInstallationTests {
    private let fixture: HomeFixture
    private let folders: DesktopFolders

    init() throws {
        fixture = try HomeFixture()
        folders = DesktopFolders(variables: [
            "HOME": fixture.root, "XDG_DATA_DIRS": fixture.root + "/system", "XDG_CONFIG_DIRS": "/nowhere",
        ])
    }

    private func home(at path: String? = nil, isDefault: Bool = false) async throws -> Home {
        let home = try await fixture.make(at: path)
        try home.write(try HomeFixture.client())
        return isDefault ? try Home.open(at: home.path, isDefault: true) : home
    }

    private func app(_ program: String = "/opt/notes", scheme: String = "example-notes") -> DesktopInstallation.App {
        DesktopInstallation.App(
            id: "com.example.notes", name: "Notes", schemes: [scheme], handler: [program, "handle"],
            service: [program, "activated"], sessionService: [program, "activated", "--bus", "session"])
    }

    private func put(_ text: String, at path: String) throws { _ = try PlainFile(path: path).write(text) }

    private func foreignEntry(_ name: String, scheme: String = "example-notes", in data: String? = nil) throws {
        try put(
            "[Desktop Entry]\nType=Application\nName=Other\nExec=/bin/true %u\nMimeType=x-scheme-handler/\(scheme);\n",
            at: (data ?? folders.data) + "/applications/" + name)
    }

    /// Every file and folder below the user's own, with what is in it.
    private func everything() throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.root) {
            let path = fixture.root + "/" + name
            let isOfHome = name.hasPrefix("home") || name.hasPrefix("second") || name.hasPrefix("state")
            if !isOfHome { found[name] = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "folder" }
        }
        return found
    }

    @Test(.rule("A195", "A196"))
    func `the entry has the URL as its last argument, the type of the scheme, and no quotation mark`() async throws {
        let report = try DesktopInstallation(try await home(isDefault: true), folders: folders).install(app())
        let lines = try fixture.text(report.entry).split(separator: "\n").map(String.init)
        for line in [
            "Exec=/opt/notes handle %u", "MimeType=x-scheme-handler/example-notes;", "DBusActivatable=true",
            "Type=Application",
        ] { #expect(lines.contains(line)) }
        #expect(report.entry == folders.data + "/applications/com.example.notes.desktop")
        #expect(!lines.contains { $0.contains("\"") })
    }

    @Test(
        .rule("A196"),
        arguments: ["/opt/my notes", "/opt/no\"tes", "/opt/$HOME", "/opt/100%", "/opt/a;b", "/opt/~x", ""])
    func `a path that would have to be quoted is refused before anything is written`(_ program: String) async throws {
        let home = try await home()
        let before = try everything()
        #expect(throws: Fault(.desktopPathRefused)) {
            _ = try DesktopInstallation(home, folders: folders).install(app(program))
        }
        #expect(try everything() == before)
    }

    @Test func `only the default home uses the session bus`() async throws {
        let home = try await home()
        var report = try DesktopInstallation(home, folders: folders).install(app())
        let own = home.path + "/run/services/com.example.notes.service"
        #expect(report.services == [own])
        #expect(try !fixture.text(report.entry).contains("DBusActivatable"))
        #expect(try fixture.text(own).contains("Exec='/opt/notes' 'activated'\n"))
        report = try DesktopInstallation(Home.open(at: home.path, isDefault: true), folders: folders).install(app())
        let session = folders.data + "/dbus-1/services/com.example.notes.service"
        #expect(report.services == [own, session])
        #expect(
            try fixture.text(session)
                == "[D-BUS Service]\nName=com.example.notes\nExec='/opt/notes' 'activated' '--bus' 'session'\n")
    }

    @Test func `what opened the scheme before is named, kept, and does so again afterwards`() async throws {
        let home = try await home(isDefault: true)
        try foreignEntry("other.desktop")
        try put(
            "# mine\n[Default Applications]\nx-scheme-handler/example-notes=gone.desktop;other.desktop;\n",
            at: folders.defaults)
        let before = try everything()
        let desktop = DesktopInstallation(home, folders: folders)
        let scheme = DesktopInstallation.Scheme(
            name: "example-notes", opens: "com.example.notes.desktop", former: "other.desktop")
        #expect(try desktop.install(app()).schemes == [scheme])
        // Installing again forgets nothing.
        #expect(try desktop.install(app("/opt/newer")).schemes == [scheme])
        #expect(try fixture.text(folders.entry("com.example.notes")).contains("Exec=/opt/newer handle %u"))
        #expect(try desktop.uninstall("com.example.notes")?.map(\.opens) == ["other.desktop"])
        #expect(try everything() == before)
        #expect(try desktop.uninstall("com.example.notes") == nil)
        #expect(try !BusService.isInstalled("com.example.notes", home: home.path))
    }

    @Test func `where there was nothing, nothing is left, not even a folder`() async throws {
        let home = try await home(isDefault: true)
        let before = try everything()
        let desktop = DesktopInstallation(home, folders: folders)
        #expect(try desktop.install(app()).schemes.first?.former == nil)
        #expect(try everything() != before)
        _ = try desktop.uninstall("com.example.notes")
        #expect(try everything() == before)
    }

    @Test func `of two apps the last to go takes away what the first has made`() async throws {
        let home = try await home(isDefault: true)
        try home.write(try HomeFixture.client("com.example.second"))
        let before = try everything()
        let desktop = DesktopInstallation(home, folders: folders)
        var second = app(scheme: "example-second")
        second.id = "com.example.second"
        for order in [["com.example.notes", second.id], [second.id, "com.example.notes"]] {
            _ = try desktop.install(app())
            _ = try desktop.install(second)
            _ = try desktop.uninstall(order[0])
            // What the other one needs is there yet.
            #expect(try desktop.install(order[0] == second.id ? app() : second).schemes.first?.former == nil)
            _ = try desktop.uninstall(order[1])
            #expect(try everything() == before)
        }
    }

    @Test func `a default that the user has changed since stays`() async throws {
        let desktop = DesktopInstallation(try await home(), folders: folders)
        _ = try desktop.install(app())
        try foreignEntry("later.desktop")
        var list = MimeAppsList(try fixture.text(folders.defaults))
        list.setDefault("later.desktop", for: "x-scheme-handler/example-notes")
        try put(list.text, at: folders.defaults)
        #expect(try desktop.uninstall("com.example.notes")?.map(\.opens) == ["later.desktop"])
        #expect(
            try fixture.text(folders.defaults)
                == "[Default Applications]\nx-scheme-handler/example-notes=later.desktop;\n")
    }

    @Test func `an app that merely claims the scheme is found too, and the desktop's own list goes first`() async throws
    {
        let home = try await home()
        try foreignEntry("system.desktop", in: fixture.root + "/system")
        #expect(
            try DesktopInstallation(home, folders: folders).install(app()).schemes.first?.former == "system.desktop")
        _ = try DesktopInstallation(home, folders: folders).uninstall("com.example.notes")
        try foreignEntry("gnomes.desktop")
        try put(
            "[Default Applications]\nx-scheme-handler/example-notes=gnomes.desktop\n",
            at: folders.configuration + "/gnome-mimeapps.list")
        let gnome = DesktopFolders(variables: [
            "HOME": fixture.root, "XDG_CURRENT_DESKTOP": "GNOME", "XDG_DATA_DIRS": fixture.root + "/system",
        ])
        let scheme = try DesktopInstallation(home, folders: gnome).install(app()).schemes.first
        #expect(scheme?.former == "gnomes.desktop")
        #expect(scheme?.opens == "gnomes.desktop")
    }

    @Test func `an entry of another home, or of somebody else, is left alone`() async throws {
        let home = try await home()
        _ = try DesktopInstallation(home, folders: folders).install(app())
        let second = try await self.home(at: fixture.root + "/second")
        let fault = #expect(throws: Fault(.desktopEntryTaken)) {
            _ = try DesktopInstallation(second, folders: folders).install(app())
        }
        #expect(fault?.nextStep.contains(home.path) == true)
        _ = try DesktopInstallation(home, folders: folders).uninstall("com.example.notes")
        _ = try DesktopInstallation(second, folders: folders).install(app())
        _ = try DesktopInstallation(second, folders: folders).uninstall("com.example.notes")
        try foreignEntry("com.example.notes.desktop")
        #expect(throws: Fault(.desktopEntryTaken)) {
            _ = try DesktopInstallation(home, folders: folders).install(app())
        }
    }

    @Test func `a service of an app that was added with its program stays when the app leaves the desktop`()
        async throws
    {
        let home = try await home()
        try BusService.install("com.example.notes", start: ["/opt/first"], home: home.path)
        let desktop = DesktopInstallation(home, folders: folders)
        _ = try desktop.install(app())
        _ = try desktop.uninstall("com.example.notes")
        #expect(try BusService.isInstalled("com.example.notes", home: home.path))
    }

    @Test(.rule("A041")) func `of two apps with one scheme the one that the conflict gives it to becomes the default`()
        async throws
    {
        let home = try await home()
        let conflicts = SchemeConflicts(home)
        try conflicts.note(
            .init(
                scheme: "example-notes", apps: ["com.example.first", "com.example.notes"], opens: "com.example.first",
                policy: .first))
        try foreignEntry("com.example.first.desktop")
        let desktop = DesktopInstallation(home, folders: folders)
        let scheme = try desktop.install(app()).schemes.first
        #expect(scheme?.opens == "com.example.first.desktop")
        #expect(scheme?.former == nil)
        _ = try desktop.uninstall("com.example.notes")
        try conflicts.note(
            .init(
                scheme: "example-notes", apps: ["com.example.first", "com.example.notes"], opens: "com.example.notes",
                policy: .newest))
        #expect(try desktop.install(app()).schemes.first?.opens == "com.example.notes.desktop")
    }

    @Test func `a home that is removed takes its apps out of the desktop`() async throws {
        let home = try await home()
        let before = try everything()
        _ = try DesktopInstallation(home, folders: folders).install(app())
        try await HomeList(variables: ["HOME": fixture.root, "XDG_STATE_HOME": fixture.root + "/state"]).remove(
            home.path)
        #expect(try everything() == before)
    }
}
