package import Basics

extension DesktopInstallation.Report {
    /// The report as `--json` prints it.
    package func json(app: String) -> [String: JSONValue] {
        [
            "app": .string(app), "entry": .string(entry), "services": .array(services.map(JSONValue.string)),
            "schemes": .array(schemes.map(\.json)),
        ]
    }

    /// The report for people.
    package func words(app: String) -> String {
        var lines = ["Installed \(app).", "  desktop entry  \(entry)"]
        lines += services.map { "  service        \($0)" }
        for scheme in schemes {
            if scheme.opens != app + ".desktop" {
                lines.append("  \(scheme.name): URLs go on opening \(scheme.opens ?? "nothing").")
            } else if let former = scheme.former {
                lines.append("  \(scheme.name): taken over from \(former), which apps uninstall gives it back to.")
            } else {
                lines.append("  \(scheme.name): nothing opened its URLs before.")
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension DesktopInstallation.Scheme {
    var json: JSONValue {
        [
            "scheme": .string(name), "opens": opens.map(JSONValue.string) ?? .null,
            "former": former.map(JSONValue.string) ?? .null,
        ]
    }
}

extension DesktopInstallation {
    /// What `apps uninstall --json` prints.
    package static func json(uninstalled schemes: [Scheme]?, app: String) -> [String: JSONValue] {
        ["app": .string(app), "uninstalled": .bool(schemes != nil), "schemes": .array((schemes ?? []).map(\.json))]
    }

    /// What `apps uninstall` says.
    package static func words(uninstalled schemes: [Scheme]?, app: String) -> String {
        guard let schemes else { return "\(app) of this home is not installed in the desktop." }
        let lines = schemes.map { "  \($0.name): URLs open \($0.opens ?? "nothing") now." }
        return (["Uninstalled \(app)."] + lines).joined(separator: "\n")
    }
}
