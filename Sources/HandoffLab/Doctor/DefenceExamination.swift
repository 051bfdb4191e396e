import Basics
import Glibc
import LinuxPlatform
import Platform

/// Which adversaries of docs/threat-model.md this machine keeps out.
enum DefenceExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        [user, sandbox(patient), bus(patient)].compactMap(\.self)
    }

    /// S, an unconfined program of the same user, and U, another user.
    private static var user: Finding {
        guard geteuid() != 0 else {
            return Finding(
                .warning, "These programs run as root.",
                why: "Every fault in them is one of the whole machine.", next: "Use a user of its own.")
        }
        let scope = fileText("/proc/sys/kernel/yama/ptrace_scope")?.prefix { $0.isNumber }
        let memory =
            scope.map { $0 != "0" } ?? false
            ? "It cannot read the memory of running apps (ptrace_scope \(scope ?? "")), but the keys in their files."
            : "It can read the memory of running apps, too."
        return Finding(
            .note, "All apps of this home run as one user, uid \(geteuid()): S is not defended against.",
            why: "An unconfined program of that user can be any of its apps. \(memory) "
                + "Who needs more runs each app under a uid of its own, or in a sandbox.")
    }

    private static func sandbox(_ patient: Doctor.Patient) -> Finding? {
        let signs = [
            ("/.flatpak-info", "a Flatpak sandbox"), ("/.dockerenv", "a container"),
            ("/run/.containerenv", "a container"),
        ]
        let found = signs.first { access($0.0, F_OK) == 0 }?.1 ?? (patient.variables["SNAP"] != nil ? "a snap" : nil)
        return found.map { place in
            Finding(
                .note, "This program runs in \(place).",
                why: "What it sees of files, ports and processes is the sandbox's, and other apps may not see it.")
        }
    }

    /// B, whoever is on the bus without access to the files.
    private static func bus(_ patient: Doctor.Patient) -> Finding? {
        guard let status = try? BusStatus.of(home: patient.home.path), status.answers else { return nil }
        return status.isPrivate
            ? Finding(.ok, "The bus is the home's own, and its socket is this user's alone.")
            : Finding(
                .note, "The bus is the session's: every app of the session may speak to this home's (B).",
                why: "Signatures and pins keep it from being believed. A private bus keeps it out: --bus private.")
    }
}
