import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform

/// The bus: which it is, whether it answers, and who owns the apps' names on it.
enum BusExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let status: BusStatus?
        do {
            status = try BusStatus.of(home: patient.home.path)
        } catch {
            return [Finding(.problem, "The note of the home's bus", because: error)]
        }
        guard let status, status.isInUse || status.answers else { return [unused(patient)] }
        guard status.answers else {
            return [
                Finding(
                    .problem, "Nobody answers on \(status.words).", why: "The home's programs wait for it.",
                    next: "Stop the home's programs and start them again: countersign-idp serve")
            ]
        }
        return [Finding(.ok, "The home uses \(status.words).")] + (await owners(status, patient))
    }

    private static func unused(_ patient: Doctor.Patient) -> Finding {
        let usesSession = patient.home.isDefault && patient.variables["DBUS_SESSION_BUS_ADDRESS"] != nil
        if !usesSession, program("dbus-daemon", patient.variables) == nil {
            return Finding(
                .problem, "No program uses the home, and there is no dbus-daemon to start a private bus with.",
                next: "Install it: apt install dbus-daemon")
        }
        return Finding(
            .note,
            "No program uses the home now; the first to come uses \(usesSession ? "the session bus" : "a private bus").",
            next: "Start the identity provider app: countersign-idp serve")
    }

    private static func owners(_ status: BusStatus, _ patient: Doctor.Patient) async -> [Finding] {
        do {
            let loop = try EventLoop.start(name: "doctor")
            defer { loop.stop() }
            let bus = try await DBusCommandBus.connect(address: status.address, loop: loop)
            var findings: [Finding] = []
            for app in patient.manifests { findings.append(try await owner(of: app, on: bus)) }
            await bus.stop()
            return findings
        } catch {
            return [Finding(.problem, "The bus", because: error)]
        }
    }

    private static func owner(of app: AppManifest, on bus: DBusCommandBus) async throws -> Finding {
        guard let name = try await bus.owner(of: app.id) else {
            let isProvider = app.role == .identityProvider
            return Finding(
                .note, "Nobody owns the name \(app.id).",
                why: isProvider ? "No client can log in by hand-off now." : "Invitations do not reach it now.",
                next: isProvider ? "Start it: countersign-idp serve" : nil)
        }
        let evidence = try await bus.evidence(of: name)
        let process = evidence?.processID.map { "process \($0)" } ?? "an unknown process"
        let program = evidence?.executable ?? "an unknown program"
        guard evidence?.userID.map({ $0 == geteuid() }) ?? true else {
            return Finding(
                .problem, "The name \(app.id) is owned by another user's \(process).",
                why: "Its commands are refused, whoever signed them.", next: "Run both apps as the same user.")
        }
        if let wanted = app.start.first, let executable = evidence?.executable,
            realPath(wanted) != realPath(executable), isBinary(wanted)
        {
            return Finding(
                .warning, "The name \(app.id) is owned by \(program) (\(process)), and its manifest names \(wanted).",
                why: "Commands of a process that does not fit are refused (process-mismatch).",
                next: "Register the program that runs: countersign-idp apps add \(app.id) --exec PATH")
        }
        return Finding(.ok, "\(app.id) is there: \(process), \(program).")
    }

    /// Whether a process started from the file shows the file itself, and no interpreter.
    private static func isBinary(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path)?.starts(with: [0x7F, 0x45, 0x4C, 0x46]) ?? false
    }

    /// The first program of that name on the path.
    private static func program(_ name: String, _ variables: [String: String]) -> String? {
        (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}
