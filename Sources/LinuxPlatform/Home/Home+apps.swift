package import Basics
import FoundationEssentials
package import JOSE
package import Platform

/// The apps that are enrolled in the home: those that have a manifest.
extension Home {
    /// The ids of all enrolled apps, sorted.
    package func apps() throws(Fault) -> [String] {
        guard try FileStatus.of(path: layout.apps) != nil else { return [] }
        var apps: [String] = []
        for id in try PrivateDirectory(existing: layout.apps).names()
        where try FileStatus.of(path: layout.manifest(id)) != nil { apps.append(id) }
        return apps
    }

    /// The manifest of an app.
    ///
    /// - Throws: `app-missing` when it is not enrolled; `invalid-yaml` with the line; `group-name-refused` for an id
    ///   that none can be.
    package func manifest(of id: String) throws(Fault) -> AppManifest {
        try GroupName.require(id)
        guard try FileStatus.of(path: layout.app(id)) != nil,
            let manifest = try ManifestFile.read(layout.manifest(id), expecting: id)
        else {
            throw Fault(
                .appMissing, "\(id) is not enrolled in the home \(path).",
                next: "Enrol it with: countersign-idp apps add \(id) --scheme \(id)")
        }
        return manifest
    }

    /// The names of the secret groups that were made, sorted.
    package func groups() throws(Fault) -> [String] {
        guard try FileStatus.of(path: layout.groups) != nil else { return [] }
        return try PrivateDirectory(existing: layout.groups).names().sorted()
    }

    /// Refuses a manifest that could not be read back.
    ///
    /// - Throws: `invalid-yaml` with what is wrong.
    package func require(_ manifest: AppManifest) throws(Fault) {
        _ = try ManifestFile.parse(Array(ManifestFile.text(manifest).utf8), file: "app.yaml", expecting: manifest.id)
    }

    /// Writes the manifest of an app, and makes the app's folder where it is missing.
    package func write(_ manifest: AppManifest) throws(Fault) {
        try GroupName.require(manifest.id)
        try ManifestFile.write(
            manifest, to: PrivateDirectory(creating: layout.app(manifest.id)).path(of: "app.yaml"))
    }

    /// Writes the certificate of an app's command key beside its manifest: `certificate.pem`.
    package func write(_ certificate: Certificate, of id: String) throws(Fault) {
        try GroupName.require(id)
        try PrivateDirectory(creating: layout.app(id)).file("certificate.pem").write(Array(certificate.pem.utf8))
    }

    /// Whether the app's keys were made here; an app may keep its own.
    package func hasSecrets(of id: String) throws(Fault) -> Bool {
        try GroupName.require(id)
        return try FileStatus.of(path: layout.secrets(of: id)) != nil
    }

    /// Removes an app's folder with its keys and records; says whether there was one.
    @discardableResult
    package func removeApp(_ id: String) throws(Fault) -> Bool {
        try GroupName.require(id)
        return try Home.removeAll(layout.app(id))
    }

    /// Removes a file, link or folder with all in it; links are never followed.
    static func removeAll(_ path: String) throws(Fault) -> Bool {
        guard try FileStatus.of(path: path) != nil else { return false }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Fault(.fileUnavailable, "Cannot remove \(path).", detail: "\(error)", underlying: error)
        }
        return true
    }
}
