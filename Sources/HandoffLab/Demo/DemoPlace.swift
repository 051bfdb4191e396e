import Basics
import FoundationEssentials
import LinuxPlatform
import Platform

/// The folder that a demonstration happens in.
struct DemoPlace: Sendable {
    let home: String
    private let temporary: String?

    /// Makes a temporary folder, or takes the one that is to be kept.
    init(keeping kept: String?, environment: Environment) throws {
        if let kept {
            let path = try Home.path(option: kept, environment: [:]).path
            guard !FileManager.default.fileExists(atPath: path + "/home.yaml") else {
                throw Fault(
                    .demoFailed, "There is a home at \(path) already.",
                    next: "Name an empty folder, or remove that one: countersign home remove \(path)")
            }
            home = path
            temporary = nil
        } else {
            let path = FileManager.default.temporaryDirectory.path + "/countersign-demo-\(environment.uuid().prefix(8))"
            home = path + "/home"
            temporary = path
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// Removes the temporary folder.
    func leave() {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }
}
