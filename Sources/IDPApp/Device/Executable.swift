import FoundationEssentials
import LinuxPlatform

/// Programs by path.
enum Executable {
    /// A program that lies beside this one, with all links followed.
    static func besideThis(_ name: String) -> String? {
        guard let own = PrivateBus.thisProgramAsKeeper.first else { return nil }
        let path = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// The path from the top; links in it stay, since a program may look at the name that it was started by.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// What is to be said of a program that is registered before it can be started: nothing can be pinned of it.
    static func doubt(about path: String) -> String? {
        if FileManager.default.isExecutableFile(atPath: absolute(path)) { return nil }
        return "there is no program at \(path) that could be started. Say --exec again once there is; until then any "
            + "program of this user may be the app."
    }

    /// The executable that a process started from `path` will have, or `nil` for an interpreter's script, whose
    /// process shows the interpreter.
    static func binary(_ path: String) -> String? {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        guard let file = try? FileHandleBytes.first(4, of: url.path) else { return nil }
        return file == [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")] ? url.path : nil
    }
}

/// The first bytes of a file.
private enum FileHandleBytes {
    static func first(_ count: Int, of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).prefix(count))
    }
}
