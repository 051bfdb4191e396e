package import Basics
import CLinux
import Glibc

extension Home {
    /// The environment variable that names a home.
    package static let variable = "COUNTERSIGN_HOME"

    /// Which folder is meant: the option, else `COUNTERSIGN_HOME`, else `countersign` in the XDG state directory.
    ///
    /// A folder that is named and happens to be the default one is the default home all the same, so that all who
    /// mean it find one bus.
    ///
    /// - Throws: `home-missing` for an empty name; `file-unavailable` where there is no current folder to begin at.
    package static func path(
        option: String?, environment variables: [String: String]
    ) throws(Fault) -> (path: String, isDefault: Bool) {
        let standard = stateDirectory(variables)
        guard let named = option ?? filled(variables[variable]) else { return (standard, true) }
        guard !named.isEmpty, !named.utf8.contains(0) else {
            throw Fault(.homeMissing, "The home's folder has no name.", next: "Give one: --home DIR")
        }
        let path = try absolute(named)
        return (path, resolved(path) == resolved(standard))
    }

    /// `$XDG_STATE_HOME/countersign`, else `~/.local/state/countersign`.
    static func stateDirectory(_ variables: [String: String]) -> String {
        // The XDG specification has relative paths ignored.
        if let folder = variables["XDG_STATE_HOME"], folder.hasPrefix("/") { return tidy(folder) + "/countersign" }
        return tidy(userFolder(variables)) + "/.local/state/countersign"
    }

    /// The path with all links followed, where there is something; else as it is.
    static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    static func userFolder(_ variables: [String: String]) -> String {
        if let folder = variables["HOME"], folder.hasPrefix("/") { return folder }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            // The entry's texts point into the buffer.
            guard let start = buffer.baseAddress, getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0,
                found != nil, let folder = entry.pw_dir
            else { return "/" }
            return String(cString: folder)
        }
    }

    private static func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    private static func absolute(_ path: String) throws(Fault) -> String {
        if path.hasPrefix("/") { return tidy(path) }
        guard let current = getcwd(nil, 0) else {
            throw SystemError.fault(countersign_errno(), "find", "the current folder")
        }
        defer { free(current) }
        return tidy(String(cString: current) + "/" + path)
    }

    /// Without doubled and trailing slashes and single dots. Two dots stay: before them may be a link.
    static func tidy(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
