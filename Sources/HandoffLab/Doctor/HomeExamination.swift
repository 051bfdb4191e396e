import Basics
import Glibc
import LinuxPlatform
import Platform

/// The home's folder: whose it is, who can reach it, and whether its apps are whole.
enum HomeExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let home = patient.home
        var findings = [Finding(.ok, "\(home.path), issuer \(home.issuer), made \(home.createdAt)")]
        findings += permissions(home)
        do {
            for id in try home.apps() where !patient.manifests.contains(where: { $0.id == id }) {
                findings.append(manifestProblem(id, home))
            }
        } catch {
            findings.append(Finding(.problem, "The apps of the home", because: error))
        }
        if !patient.manifests.contains(where: { $0.role == .identityProvider }) {
            findings.append(
                Finding(
                    .problem, "There is no identity provider app in this home.", why: "Nobody can hand a login over.",
                    next: "Make it: countersign-idp serve"))
        }
        return findings
    }

    private static func manifestProblem(_ id: String, _ home: Home) -> Finding {
        do {
            _ = try home.manifest(of: id)
            return Finding(.ok, id)
        } catch {
            return Finding(.problem, "The manifest of \(id)", because: error)
        }
    }

    /// Everything in a home is its owner's alone: folders 0700, files 0600 at most.
    private static func permissions(_ home: Home) -> [Finding] {
        let names = fileTree(in: home.path)
        var open: [String] = []
        for path in [home.path] + names.map({ home.path + "/" + $0 }) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { continue }
            if status.st_uid != geteuid() || status.st_mode & 0o077 != 0 { open.append(path) }
        }
        guard let first = open.first else { return [Finding(.ok, "Nobody else can reach it (0600 in 0700).")] }
        return [
            Finding(
                .problem, "Other users can reach \(open.count) of its files and folders, \(first) first.",
                why: "Programs refuse to use them.", next: "chmod -R go= \(home.path)")
        ]
    }
}
