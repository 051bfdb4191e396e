import Basics
import FoundationEssentials
import JOSE
import LinuxPlatform
import Platform

/// Keys are made in a home and never copied: one that is in two homes is two devices that are the same.
enum KeyExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let own = realPath(patient.home.path)
        let homes: [HomeList.Entry]
        do {
            homes = try HomeList(variables: patient.variables).entries().filter { realPath($0.path) != own }
        } catch {
            return [Finding(.warning, "The list of homes", because: error)]
        }
        let here = keys(in: patient.home.path)
        let copies = homes.flatMap { other in
            let there = keys(in: other.path)
            return here.filter { there[$0.key] != nil }.map { key, name in
                Finding(
                    .problem, "The \(name) is also in the home \(other.path).",
                    why: "A key that is in two homes makes them one device: each can be the other's apps.",
                    next: "Keep one of the two: countersign home remove DIR")
            }
        }
        guard copies.isEmpty else { return copies.sorted { $0.what < $1.what } }
        return [
            Finding(
                .ok,
                homes.isEmpty
                    ? "\(here.count) keys; there is no other home to compare with."
                    : "\(here.count) keys, none of which is in the \(homes.count) other homes of this user.")
        ]
    }

    /// What tells the keys of a home apart: thumbprints of certified keys, and digests of the keys that seal the rest.
    private static func keys(in home: String) -> [String: String] {
        let layout = HomeLayout(path: home)
        var keys: [String: String] = [:]
        func certified(_ path: String, _ name: String) {
            guard let text = fileText(path), let certificate = try? Certificate(pem: text),
                let thumbprint = try? certificate.publicKeyThumbprint()
            else { return }
            keys["key \(thumbprint.value)"] = name
        }
        func sealing(_ folder: String, _ name: String) {
            guard let bytes = FileManager.default.contents(atPath: folder + "/secrets.key") else { return }
            keys["seal \(Hex.encode(Digest.sha256([UInt8](bytes))))"] = name
        }
        certified(layout.authorityCertificate, "authority's key")
        sealing(layout.secrets, "key that seals the home's secrets")
        for app in fileNames(in: layout.apps) {
            certified(layout.app(app) + "/certificate.pem", "command key of \(app)")
            sealing(layout.secrets(of: app), "key that seals the secrets of \(app)")
        }
        return keys
    }
}
