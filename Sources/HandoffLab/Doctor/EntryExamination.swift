import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform

/// Desktop entries and service files: that what they start is there, and that none is left of an app that is not.
enum EntryExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let desktop = DesktopFiles(variables: patient.variables)
        let apps = Set(patient.manifests.map(\.id))
        let here = realPath(patient.home.path)
        let ownServices = fileNames(in: patient.home.layout.run + "/services").filter { $0.hasSuffix(".service") }
        var findings: [Finding] = []
        for entry in desktop.entries {
            if let home = entry.home {
                guard access(home + "/home.yaml", F_OK) == 0 else {
                    findings.append(leftover(entry, "the home \(home), which is gone"))
                    continue
                }
                guard realPath(home) == here else { continue }
                guard apps.contains(entry.name) else {
                    findings.append(leftover(entry, "\(entry.name), which is not enrolled here any more"))
                    continue
                }
            } else if !apps.contains(entry.name) {
                continue
            }
            findings += self.entry(entry, desktop)
        }
        for service in desktop.services {
            if apps.contains(service.name) {
                findings += self.service(service)
            } else if patient.home.isDefault, service.startsProgramOfOurs {
                findings.append(leftover(service, "\(service.name), which is not enrolled here any more"))
            }
        }
        for name in ownServices {
            let path = "\(patient.home.layout.run)/services/\(name)"
            guard apps.contains(String(name.dropLast(8))) else {
                findings.append(
                    Finding(
                        .warning, "\(path) is left of an app that is not enrolled here any more.",
                        why: "The bus would start it.", next: "rm \(path)"))
                continue
            }
            findings += service(DesktopFiles.service(at: path))
        }
        return findings
    }

    private static func leftover(_ entry: DesktopFiles.File, _ of: String) -> Finding {
        Finding(
            .warning, "\(entry.path) is left of \(of).", why: "The desktop or the bus would start what it names.",
            next: "rm \(entry.path)")
    }

    private static func entry(_ entry: DesktopFiles.File, _ desktop: DesktopFiles) -> [Finding] {
        var findings = program(entry)
        let arguments = (entry.keys["Exec"] ?? "").split(separator: " ").dropFirst()
        if findings.isEmpty, !arguments.contains("%u"), !arguments.contains("%U") {
            findings.append(
                Finding(
                    .problem, "\(entry.path) starts its program without the URL: there is no %u in Exec.",
                    next: "Add %u at the end of the line Exec."))
        }
        if entry.keys["DBusActivatable"] == "true", !desktop.services.contains(where: { $0.name == entry.name }) {
            findings.append(
                Finding(
                    .problem, "\(entry.path) is to be started by the bus, and there is no service file of that name.",
                    why: "Opening a URL does nothing then.", next: "Take DBusActivatable out of it."))
        }
        return findings.isEmpty ? [Finding(.ok, "\(entry.path) starts \(entry.program ?? "?").")] : findings
    }

    private static func service(_ service: DesktopFiles.File) -> [Finding] {
        var findings = program(service)
        if let name = service.keys["Name"], name != service.name {
            findings.append(
                Finding(
                    .problem, "\(service.path) is for the name \(name), which is not its file's.",
                    next: "Name them alike."))
        }
        return findings.isEmpty ? [Finding(.ok, "\(service.path) starts \(service.program ?? "?").")] : findings
    }

    /// What is wrong with the program that a file starts.
    private static func program(_ file: DesktopFiles.File) -> [Finding] {
        guard let program = file.program else {
            return [Finding(.problem, "\(file.path) starts nothing: there is no Exec.", next: "rm \(file.path)")]
        }
        // A name without a slash is looked for on the path of whoever starts it.
        guard program.hasPrefix("/"), access(program, X_OK) != 0 else { return [] }
        return [
            Finding(
                .problem, "\(file.path) starts \(program), which is not there.",
                why: "It was moved, or the app was removed without it.",
                next: "Register where it is now: countersign-idp apps add \(file.name) --exec PATH")
        ]
    }
}

extension DesktopFiles.File {
    /// Whether it starts one of this product's programs.
    fileprivate var startsProgramOfOurs: Bool {
        program?.split(separator: "/").last?.hasPrefix("countersign-") ?? false
    }
}
