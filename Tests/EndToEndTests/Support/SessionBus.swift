import FoundationEssentials

/// A bus daemon as a desktop session has one, with the session's folders, for the tests alone.
struct SessionBus: Sendable {
    let address: String
    private let root: String

    /// The folder of the user's data: desktop entries, and the services that the bus starts.
    var data: String { root + "/data" }
    /// The folder of the user's configuration.
    var configuration: String { root + "/config" }

    /// What tells programs of the session's folders; nothing of the machine's own desktop is seen.
    var variables: [String: String] { SessionBus.variables(root) }

    private static func variables(_ root: String) -> [String: String] {
        [
            "XDG_DATA_HOME": root + "/data", "XDG_CONFIG_HOME": root + "/config", "XDG_DATA_DIRS": root + "/system",
            "XDG_CONFIG_DIRS": root + "/system",
        ]
    }

    /// Runs `body` while the daemon runs.
    static func running(_ body: (SessionBus) async throws -> Void) async throws {
        let place = try LabHome()
        let daemon = try await RunningProgram.start(
            "dbus-daemon",
            [
                "--session", "--nofork", "--nopidfile", "--print-address",
                "--address=unix:path=\(place.root)/session.bus",
            ],
            environment: place.environment.merging(variables(place.root)) { $1 })
        try await always {
            let address = try await eventually("the session bus has an address", within: .seconds(120)) {
                daemon.output.first
            }
            try await body(SessionBus(address: address, root: place.root))
        } afterwards: {
            await daemon.stopped()
            await place.end()
        }
    }

    /// Puts an app of somebody else into the session that opens a scheme, as its default.
    func putForeignHandler(_ name: String, of scheme: String) throws {
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Former
            Exec=/bin/true %u
            MimeType=x-scheme-handler/\(scheme);

            """
        for (folder, file, text) in [
            (data + "/applications", name, entry),
            (configuration, "mimeapps.list", "# mine\n[Default Applications]\nx-scheme-handler/\(scheme)=\(name)\n"),
        ] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + file))
        }
    }
}
