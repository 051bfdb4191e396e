import Basics
import LinuxPlatform
import Platform

/// Who handles each scheme: the app on the bus, the desktop for URLs that are opened.
enum SchemeExamination {
    private static let everybodys: Set = ["http", "https", "file", "mailto", "ftp", "javascript", "data", "about"]

    private typealias Claim = (scheme: String, app: String)

    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let desktop = DesktopFiles(variables: patient.variables)
        let claims: [Claim] = patient.manifests.flatMap { app in app.schemes.map { (scheme: $0, app: app.id) } }
        var findings: [Finding] = []
        var settled: [SchemeConflicts.Conflict] = []
        do {
            settled = try SchemeConflicts(patient.home).all()
        } catch {
            findings.append(Finding(.problem, "schemes.json", because: error))
        }
        var seen: Set<String> = []
        for claim in claims where seen.insert(claim.scheme).inserted {
            let apps = claims.filter { $0.scheme == claim.scheme }.map(\.app)
            let conflict = settled.first { $0.scheme == claim.scheme && apps.contains($0.opens) }
            findings.append(finding(claim.scheme, apps, conflict, desktop))
        }
        return findings + settled.compactMap { leftover($0, claims, patient) }
    }

    /// What the home has noted of an app that claims the scheme no more.
    private static func leftover(
        _ conflict: SchemeConflicts.Conflict, _ claims: [Claim], _ patient: Doctor.Patient
    ) -> Finding? {
        let holders = Set(claims.filter { $0.scheme == conflict.scheme }.map(\.app))
        guard let gone = (conflict.apps + [conflict.opens]).first(where: { !holders.contains($0) }) else { return nil }
        let isEnrolled = patient.manifests.contains { $0.id == gone }
        return Finding(
            .warning, "schemes.json says that \(gone) claims the scheme \(conflict.scheme), and it does not.",
            why: "A change of the registry was cut off.",
            next: isEnrolled
                ? "Finish it: countersign-idp apps add \(gone)" : "rm \(patient.home.layout.schemes)")
    }

    private static func finding(
        _ scheme: String, _ apps: [String], _ settled: SchemeConflicts.Conflict?, _ desktop: DesktopFiles
    ) -> Finding {
        if everybodys.contains(scheme.lowercased()) {
            return Finding(
                .problem, "\(apps[0]) claims the scheme \(scheme), which is everybody's.",
                next: "Give it one of its own: countersign-idp apps add \(apps[0]) --scheme \(apps[0])")
        }
        if let settled, apps.count > 1 { return shared(settled, apps, desktop) }
        if apps.count > 1 {
            return Finding(
                .warning, "\(apps.joined(separator: " and ")) both claim the scheme \(scheme).",
                why: "Over the bus each has its own name; a URL that is opened reaches one of them.",
                next: "Give one another scheme: countersign-idp apps add \(apps[1]) --scheme \(apps[1])")
        }
        guard let opener = desktop.opener(of: scheme) else {
            return Finding(
                .note, "\(scheme) is \(apps[0])'s over the bus; the desktop opens it with nothing.",
                why: "That is enough for logins between apps; a link or gio open does not reach it.",
                next: "To change that: countersign-idp apps install \(apps[0])")
        }
        guard opener.name == apps[0] else {
            return Finding(
                .warning, "\(scheme) is \(apps[0])'s, and the desktop opens it with \(opener.name).",
                why: "A URL that is opened reaches that program; a personal one it cannot read.",
                next: "Look at \(opener.path)")
        }
        return Finding(.ok, "\(scheme) is \(apps[0])'s, over the bus and in the desktop.")
    }

    /// A scheme of several apps about which it was settled who opens it.
    private static func shared(
        _ conflict: SchemeConflicts.Conflict, _ apps: [String], _ desktop: DesktopFiles
    ) -> Finding {
        let what = "\(apps.joined(separator: " and ")) both claim the scheme \(conflict.scheme)"
        guard let opener = desktop.opener(of: conflict.scheme), opener.name != conflict.opens else {
            return Finding(.note, "\(what); \(conflict.opens) opens it, as was settled: \(conflict.policy.rawValue).")
        }
        return Finding(
            .warning, "\(what); \(conflict.opens) is to open it, and the desktop does so with \(opener.name).",
            why: "A URL that is opened reaches that program; a personal one it cannot read.",
            next: "Put it right: countersign-idp apps install \(conflict.opens)")
    }
}
