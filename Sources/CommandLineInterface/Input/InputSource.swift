package import Basics

/// What a file held, and whether others than its owner may read it.
package struct InputFile: Sendable {
    package let bytes: [UInt8]
    package let othersMayRead: Bool

    package init(bytes: [UInt8], othersMayRead: Bool) {
        self.bytes = bytes
        self.othersMayRead = othersMayRead
    }
}

/// Where a command reads what does not stand on its command line.
///
/// Each throws `Fault` with code `unreadable-input`.
package protocol InputSource: Sendable {
    /// The whole of a file, up to a limit.
    func readFile(_ path: String, limit: Int) throws(Fault) -> InputFile
    /// Standard input to its end, up to a limit.
    func readStandardInput(limit: Int) throws(Fault) -> [UInt8]
    /// Whether standard input is a terminal.
    var isTerminal: Bool { get }
}

/// Input that is given beforehand, for tests.
package struct FixedInput: InputSource {
    package var files: [String: InputFile]
    package var standardInput: String
    package var isTerminal: Bool

    package init(files: [String: InputFile] = [:], standardInput: String = "", isTerminal: Bool = false) {
        self.files = files
        self.standardInput = standardInput
        self.isTerminal = isTerminal
    }

    package func readFile(_ path: String, limit: Int) throws(Fault) -> InputFile {
        guard let file = files[path], file.bytes.count <= limit else {
            throw Fault(.unreadableInput, "\(path) cannot be read.")
        }
        return file
    }

    package func readStandardInput(limit: Int) throws(Fault) -> [UInt8] { Array(standardInput.utf8.prefix(limit)) }
}
