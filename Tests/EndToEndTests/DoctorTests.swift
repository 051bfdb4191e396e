import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import Testing

/// `countersign doctor` on homes with something wrong, each beside the home without it.
@Suite(.serialized) struct DoctorTests {
    /// What the doctor says: section, level and text of each finding.
    private func findings(
        _ home: LabHome, exit: Int32? = nil, _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> [(section: String, level: String, text: String)] {
        let ended = try await home.run(.lab, ["doctor", "--json"] + arguments, environment: environment)
        let json = try ended.json()
        let found = (json["sections"]?.arrayValue ?? []).flatMap { section in
            (section["findings"]?.arrayValue ?? []).map { finding in
                (
                    section["section"]?.stringValue ?? "", finding["level"]?.stringValue ?? "",
                    ["what", "why", "next"].compactMap { finding[$0]?.stringValue }.joined(separator: " ")
                )
            }
        }
        let problems = found.filter { $0.1 == "problem" }
        #expect(ended.exit == .exited(problems.isEmpty ? 0 : 5), "\(ended)")
        if let exit { #expect(ended.exit == .exited(exit), "\(problems)") }
        return found
    }

    private func problems(_ home: LabHome, environment: [String: String] = [:]) async throws -> [String] {
        try await findings(home, environment: environment).filter { $0.level == "problem" }.map {
            "\($0.section): \($0.text)"
        }
    }

    private func withHome(_ body: (LabHome) async throws -> Void) async throws {
        try await withLabHome { home in
            try await home.idp("apps", "add", LabHome.clientID).expect(0)
            try await body(home)
        }
    }

    @Test func `a sound home has no problem, at rest and while it serves`() async throws {
        try await withHome { home in
            let resting = try await findings(home, exit: 0)
            for section in ["home", "stores", "keys", "certificates", "bus", "schemes", "port", "clock", "defence"] {
                #expect(resting.contains { $0.section == section }, "\(section)")
            }
            #expect(resting.contains { $0.section == "port" && $0.text.contains("is free") })
            let idp = try await home.serve(.idp, prompt: "script:allow")
            let serving = try await findings(home, exit: 0)
            #expect(
                serving.contains { $0.section == "port" && $0.level == "ok" && $0.text.contains("countersign-idp") })
            #expect(
                serving.contains {
                    $0.section == "bus" && $0.text.contains("\(LabHome.idpID) is there: process \(idp.processID)")
                })
            #expect(
                serving.contains { $0.section == "bus" && $0.text.contains("Nobody owns the name \(LabHome.clientID)") }
            )
            #expect(serving.contains { $0.section == "clock" && $0.text.contains("as the provider's does") })
            #expect(serving.contains { $0.section == "provider" && $0.text.contains("bound to a client's key") })
            let text = try await home.run(.lab, ["doctor"]).expect(0)
            // A path may be longer than a line: it is no place to break.
            let tooLong = text.output.filter {
                $0.count > 80 && !$0.contains("/tmp/") && $0.split(separator: " ").count > 1
            }
            #expect(tooLong == [])
            await idp.stopped().expect(143)
        }
    }

    @Test func `files that others can reach, a damaged store and a broken manifest are problems`() async throws {
        try await withHome { home in
            let manifest = home.layout.manifest(LabHome.clientID)
            chmod(manifest, 0o644)
            #expect(try await problems(home).contains { $0.hasPrefix("home:") && $0.contains("chmod") })
            chmod(manifest, 0o600)
            #expect(try await problems(home) == [])
            let text = try String(contentsOfFile: manifest, encoding: .utf8)
            try PrivateFile(path: manifest).write(Array("id: [".utf8))
            #expect(try await problems(home).contains { $0.contains("The manifest of \(LabHome.clientID)") })
            try PrivateFile(path: manifest).write(Array(text.utf8))
            try PrivateFile(path: home.layout.records).write([UInt8](repeating: 7, count: 4_096))
            #expect(try await problems(home).contains { $0.hasPrefix("stores:") && $0.contains("[store-unreadable]") })
        }
    }

    @Test func `a home that was copied is found by its keys`() async throws {
        try await withHome { home in
            let copy = home.root + "/copy"
            try FileManager.default.copyItem(atPath: home.path, toPath: copy)
            #expect(try await problems(home) == [])
            // Whoever uses the copy notes it; then there are two.
            _ = try await RunningProgram.start(
                Program.idp.path, ["users", "add", "bob", "--password-file", "-", "--home", copy],
                environment: home.environment, input: "some password\n"
            ).ended()
            let list = home.root + "/state/countersign/homes.json"
            let noted = try String(contentsOfFile: list, encoding: .utf8)
            if !noted.contains(copy) {
                try PrivateFile(path: list).write(
                    Array(#"{"schemaVersion":1,"homes":["\#(home.path)","\#(copy)"]}"#.utf8))
            }
            let found = try await problems(home)
            #expect(found.contains { $0.contains("authority's key is also in the home \(copy)") }, "\(found)")
            #expect(found.contains { $0.contains("command key of \(LabHome.clientID)") })
        }
    }

    @Test func `a port that another program has is a problem, and that program is named`() async throws {
        try await withHome { home in
            let port = try Home.open(at: home.path, isDefault: false).port
            let holder = try PortHolder(port)
            let found = try await problems(home)
            #expect(found.contains { $0.hasPrefix("port: Port \(port) is held by ") }, "\(found)")
            holder.release()
            #expect(try await problems(home) == [])
        }
    }

    @Test func `desktop entries and services are looked into: programs that are gone, no %u, leftovers`() async throws {
        try await withHome { home in
            let data = home.root + "/data"
            let entry = "\(data)/applications/\(LabHome.clientID).desktop"
            let variables = ["XDG_DATA_HOME": data, "XDG_DATA_DIRS": data, "XDG_CONFIG_HOME": home.root + "/config"]
            func write(_ path: String, _ lines: String...) throws {
                let folder = path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
            func said(_ text: String) async throws -> Bool {
                try await findings(home, environment: variables).contains { $0.text.contains(text) }
            }
            let type = "MimeType=x-scheme-handler/\(LabHome.clientID);"
            try write(entry, "[Desktop Entry]", "Exec=/bin/true %u", type)
            #expect(try await problems(home, environment: variables) == [])
            #expect(try await said("over the bus and in the desktop"))
            try write(entry, "[Desktop Entry]", "Exec=/nowhere/notes %u", type)
            #expect(
                try await problems(home, environment: variables).contains {
                    $0.contains("/nowhere/notes, which is not there")
                })
            try write(entry, "[Desktop Entry]", "Exec=/bin/true", type)
            #expect(try await problems(home, environment: variables).contains { $0.contains("no %u") })
            try write(entry, "[Desktop Entry]", "Exec=/bin/true %u", "DBusActivatable=true", type)
            #expect(try await problems(home, environment: variables).contains { $0.contains("no service file") })
            let service = "\(data)/dbus-1/services/\(LabHome.clientID).service"
            try write(service, "[D-BUS Service]", "Name=\(LabHome.clientID)", "Exec=/bin/true")
            #expect(try await problems(home, environment: variables) == [])
            try write(service, "[D-BUS Service]", "Name=\(LabHome.clientID)", "Exec=/gone")
            #expect(
                try await problems(home, environment: variables).contains { $0.contains("/gone, which is not there") })
            // Another program is the default of the scheme.
            try write(service, "[D-BUS Service]", "Name=\(LabHome.clientID)", "Exec=/bin/true")
            try write("\(data)/applications/org.rogue.desktop", "[Desktop Entry]", "Exec=/bin/true %u", type)
            try write(
                home.root + "/config/mimeapps.list", "[Default Applications]",
                "x-scheme-handler/\(LabHome.clientID)=org.rogue.desktop;")
            #expect(try await said("the desktop opens it with org.rogue"))
            // An entry of ours that is left of an app or of a home.
            try write(
                "\(data)/applications/com.example.left.desktop", "[Desktop Entry]", "Exec=/bin/true %u",
                "X-Countersign-Home=\(home.path)")
            #expect(try await said("com.example.left, which is not enrolled here any more"))
            try write(
                "\(data)/applications/com.example.left.desktop", "[Desktop Entry]", "Exec=/bin/true %u",
                "X-Countersign-Home=/no/such/home")
            #expect(try await said("the home /no/such/home, which is gone"))
        }
    }

    @Test func `a scheme that two apps claim is as was settled, or a warning; what is left of a conflict is one`()
        async throws
    {
        try await withHome { home in
            let (one, two, scheme) = ("com.example.one", "com.example.two", "com.example.shared")
            func schemes() async throws -> [String] {
                try await findings(home).filter { $0.section == "schemes" && $0.text.contains(scheme) }
                    .map { "\($0.level) \($0.text)" }
            }
            try await home.idp("apps", "add", one, "--scheme", scheme).expect(0)
            #expect(try await schemes().allSatisfy { $0.hasPrefix("note") && $0.contains("opens it with nothing") })
            try await home.idp("apps", "add", two, "--scheme", scheme, "--conflict", "newest").expect(0)
            let settled = try await schemes()
            #expect(settled.count == 1 && settled[0].hasPrefix("note"), "\(settled)")
            #expect(settled[0].contains("\(two) opens it") && settled[0].contains("newest"))

            let opened = try Home.open(at: home.path, isDefault: false)
            let noted = try SchemeConflicts(opened).all()
            try PrivateFile(path: home.layout.schemes).remove()
            #expect(try await schemes().map { String($0.prefix(7)) } == ["warning"])
            for conflict in noted { try SchemeConflicts(opened).note(conflict) }
            // One was cut off while it went: its folder is there no more, or its manifest names another scheme.
            try await home.idp("apps", "add", two, "--scheme", two).expect(0)
            for conflict in noted { try SchemeConflicts(opened).note(conflict) }
            let left = try await schemes()
            #expect(left.contains { $0.hasPrefix("warning schemes.json") && $0.contains("apps add \(two)") }, "\(left)")
            try await home.idp("apps", "add", two).expect(0)
            #expect(try await schemes().allSatisfy { !$0.contains("schemes.json") })
            try PrivateFile(path: home.layout.schemes).write(Array(#"{"schemaVersion":9}"#.utf8))
            #expect(try await problems(home).contains { $0.contains("schemes.json") && $0.contains("invalid-json") })
            try PrivateFile(path: home.layout.schemes).remove()
            #expect(try await problems(home) == [])
        }
    }

    @Test func `another provider is looked at by --issuer`() async throws {
        try await withHome { home in
            let found = try await findings(home, exit: 5, "--issuer", "http://localhost:1")
            #expect(
                found.contains { $0.section == "provider" && $0.level == "problem" && $0.text.contains("localhost:1") })
        }
    }

    @Test func `a home that is not there says how to make one`() async throws {
        try await withLabHome(users: []) { home in
            _ = try await home.run(.lab, ["doctor"]).expect(5, "home-missing")
        }
    }

    @Test func `what apps install writes is in order, and apps uninstall leaves nothing`() async throws {
        try await withLabHome(LabHome(isDefault: true)) { home in
            try await home.idp("apps", "add", LabHome.clientID).expect(0)
            let variables = ["XDG_DATA_HOME": home.root + "/data", "XDG_CONFIG_HOME": home.root + "/config"]
            func entries() async throws -> [String] {
                try await findings(home, environment: variables).filter { $0.section == "entries" }
                    .map { "\($0.level) \($0.text)" }
            }
            let before = try await entries()
            try await home.run(.client, ["apps", "install"], environment: variables).expect(0)
            let installed = try await entries()
            #expect(
                installed.contains { $0.hasPrefix("ok ") && $0.contains("\(LabHome.clientID).desktop") }, "\(installed)"
            )
            #expect(!installed.contains { $0.hasPrefix("problem") || $0.hasPrefix("warning") }, "\(installed)")
            // The app is taken out of the home before it is taken out of the desktop.
            let entry = home.root + "/data/dbus-1/services/com.example.left.service"
            try "[D-BUS Service]\nName=com.example.left\nExec=/usr/bin/countersign-client serve\n".write(
                toFile: entry, atomically: true, encoding: .utf8)
            #expect(try await entries().contains { $0.hasPrefix("warning") && $0.contains("com.example.left") })
            try FileManager.default.removeItem(atPath: entry)
            try await home.run(.client, ["apps", "uninstall"], environment: variables).expect(0)
            #expect(try await entries() == before)
        }
    }
}
