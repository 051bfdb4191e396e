package import Basics

/// An app that a private bus starts when somebody calls it.
package enum BusService {
    /// Lets the bus of a home start the app: writes its service file.
    ///
    /// - Parameter start: the argument list; an absolute path first.
    package static func install(_ name: String, start: [String], home: String) throws(Fault) {
        try file(name, home).write(Array(text(name, start).utf8))
    }

    /// Takes the app's service file away.
    package static func remove(_ name: String, home: String) throws(Fault) { try file(name, home).remove() }

    /// Whether the bus of a home can start the app.
    package static func isInstalled(_ name: String, home: String) throws(Fault) -> Bool {
        try file(name, home).read(atMost: 65_536) != nil
    }

    /// Where the app's service file is.
    static func path(_ name: String, home: String) throws(Fault) -> String { try file(name, home).path }

    private static func file(_ name: String, _ home: String) throws(Fault) -> PrivateFile {
        guard BusName.isValid(name), !BusName.isUnique(name) else { throw Fault(.busMessageRefused) }
        return try BusFolder(home: home).services.file(name + ".service")
    }

    /// The text of a service file.
    static func text(_ name: String, _ start: [String]) throws(Fault) -> String {
        // The file has one line for each key, and the daemon splits the command as a shell would.
        guard let program = start.first, program.hasPrefix("/"),
            start.allSatisfy({ !$0.utf8.contains { $0 < 0x20 } })
        else { throw Fault(.busMessageRefused, "An app is started by an absolute path and arguments on one line.") }
        let words = start.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        // Before that it reads backslashes as a desktop entry has them.
        let command = words.joined(separator: " ").replacing("\\", with: "\\\\")
        return "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
    }
}
