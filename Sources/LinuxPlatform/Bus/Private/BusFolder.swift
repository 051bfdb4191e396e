import Basics
import Glibc
import JOSE
import Platform

/// The files of a home that belong to its bus.
struct BusFolder: Sendable {
    /// `HOME/run`
    let directory: PrivateDirectory
    /// Where the bus looks for apps that it can start: `HOME/run/services`.
    let services: PrivateDirectory

    private let home: String

    init(home: String) throws(Fault) {
        directory = try PrivateDirectory(creating: home + "/run")
        services = try PrivateDirectory(creating: directory.path(of: "services"))
        // One home has one socket, by whatever path it is reached.
        let resolved = realpath(home, nil)
        defer { free(resolved) }
        self.home = resolved.map { String(cString: $0) } ?? home
    }

    /// The home's folder, by the path that it was opened by.
    var homePath: String { String(directory.path.dropLast("/run".count)) }

    /// Held by whoever joins or ends the bus.
    func gate() throws(Fault) -> FileLock { try FileLock(path: directory.path(of: "bus.lock")) }

    /// Held, shared, by every party for as long as it uses the bus.
    func parties() throws(Fault) -> FileLock { try FileLock(path: directory.path(of: "bus.parties")) }

    var recordFile: PrivateFile { directory.file("bus.json") }
    var configuration: PrivateFile { directory.file("bus.conf") }

    /// What the home's bus is, where somebody noted it.
    func record() throws(Fault) -> BusRecord? {
        guard let bytes = try recordFile.read(atMost: 16_384) else { return nil }
        return BusRecord(bytes)
    }

    /// The socket of the home's private daemon.
    ///
    /// Its name is short and hashed, since a Unix socket's path has 107 bytes at most and homes may lie deep.
    func socketPath(variables: [String: String]) throws(Fault) -> String {
        let name = "countersign-" + Hex.encode(Digest.sha256(home.utf8).prefix(8)) + ".bus"
        if let folder = variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), folder.utf8.count + name.utf8.count < 107,
            let owned = try? PrivateDirectory(existing: folder)
        {
            return owned.path(of: name)
        }
        let temporary = variables["TMPDIR"].flatMap { $0.hasPrefix("/") && $0.utf8.count < 40 ? $0 : nil } ?? "/tmp"
        // Anyone may make this folder before us; one that is not ours and closed to others is refused.
        return try PrivateDirectory(creating: "\(temporary)/countersign-\(geteuid())").path(of: name)
    }
}
