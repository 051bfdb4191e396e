import Basics
import LinuxPlatform
import Platform

/// The stores and logs: whether they can be read, and how big they are.
enum StoreExamination {
    /// From this size on one file on one machine is worth a thought.
    private static let large: Int64 = 512 << 20

    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let layout = patient.home.layout
        let apps = patient.manifests.map(\.id)
        var findings = ([layout.records] + apps.map { layout.records(of: $0) }).compactMap(store)
        findings += apps.compactMap { store(layout.secrets(of: $0) + "/secrets.sqlite") }
        let total = size(of: patient.home.path, endingIn: [".sqlite", ".sqlite-wal"])
        findings.append(
            total < large
                ? Finding(
                    .note, "The stores are SQLite, \(shown(total)) in all.",
                    why: "That serves one machine. Leave it for PostgreSQL with a second host, with more than some 500 "
                        + "writes in a second for long, or where a restart must not be noticed.")
                : Finding(
                    .warning, "The stores are SQLite, \(shown(total)) in all.",
                    why: "That is much for one file on one machine: this is where PostgreSQL begins to pay."))
        let logs = size(of: layout.logs, endingIn: [".jsonl", ".1"])
        let log = TraceLog(folder: layout.logs)
        findings.append(
            Finding(
                log.unreadable == 0 ? .ok : .warning,
                "The logs have \(log.entries.count) lines, \(shown(logs))"
                    + (log.unreadable == 0 ? "." : ", and \(log.unreadable) that cannot be read."),
                why: log.unreadable == 0 ? nil : "They are of another version, or were cut off by a full disk."))
        return findings
    }

    private static func store(_ path: String) -> Finding? {
        do {
            guard try ReadOnlyStore(path: path) != nil else { return nil }
            return nil
        } catch {
            return Finding(.problem, path, because: error)
        }
    }

    private static func size(of folder: String, endingIn endings: [String]) -> Int64 {
        let names = fileTree(in: folder)
        return names.filter { name in endings.contains { name.hasSuffix($0) } }.reduce(0) { sum, name in
            sum + fileSize(folder + "/" + name)
        }
    }

    private static func shown(_ bytes: Int64) -> String {
        bytes < 1 << 20 ? "\(bytes / 1_024) KiB" : "\(bytes >> 20) MiB"
    }
}
