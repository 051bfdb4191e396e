import Basics
import LinuxPlatform
import Platform

/// Who handles each scheme: the app on the bus, the desktop for URLs that are opened.
enum SchemeExamination {
    private static let everybodys: Set = ["http", "https", "file", "mailto", "ftp", "javascript", "data", "about"]

    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let desktop = DesktopFiles(variables: patient.variables)
        let claims = patient.manifests.flatMap { app in app.schemes.map { (scheme: $0, app: app.id) } }
        var seen: Set<String> = []
        return claims.compactMap { claim in
            guard seen.insert(claim.scheme).inserted else { return nil }
            let apps = claims.filter { $0.scheme == claim.scheme }.map(\.app)
            return finding(claim.scheme, apps, desktop)
        }
    }

    private static func finding(_ scheme: String, _ apps: [String], _ desktop: DesktopFiles) -> Finding {
        if everybodys.contains(scheme.lowercased()) {
            return Finding(
                .problem, "\(apps[0]) claims the scheme \(scheme), which is everybody's.",
                next: "Give it one of its own: countersign-idp apps add \(apps[0]) --scheme \(apps[0])")
        }
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
}
