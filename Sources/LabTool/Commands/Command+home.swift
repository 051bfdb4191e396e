import Basics
import CommandLineInterface
import LinuxPlatform

extension Command {
    /// Lists the homes that were made on this machine.
    static let homeList = Command(
        "home list", "list the homes that were made here", examples: [.init("countersign home list", "")]
    ) { call in
        let entries = try HomeList(variables: call.environment).entries()
        let rows = entries.map { [$0.path, $0.issuer ?? "", $0.isRunning ? "running" : "stopped"] }
        call.output.result(
            [
                "homes": .array(
                    entries.map { entry in
                        [
                            "path": .string(entry.path), "issuer": entry.issuer.map(JSONValue.string) ?? .null,
                            "running": .bool(entry.isRunning),
                        ]
                    })
            ], text: rows.isEmpty ? "No homes." : Output.table(["home", "issuer", "state"], rows))
        return .done
    }

    /// Removes a home with everything in it.
    static let homeRemove = Command(
        "home remove", "remove a home with everything in it",
        examples: [.init("countersign home remove DIR", "it must be one of ours, and nothing may run in it")],
        positionals: [Positional("DIR", values: .directory, "the home's folder")]
    ) { call in
        let path = try Home.path(option: try call.argument("DIR"), environment: call.environment).path
        try await HomeList(variables: call.environment).remove(path)
        call.output.result(["removed": .string(path)], text: "Removed \(path).")
        return .done
    }
}
