import Basics
import FoundationEssentials
import Platform

/// Where the two product programs are.
package struct DevicePrograms: Sendable {
    package let idp: String
    package let client: String

    /// Finds them beside the program that runs now.
    ///
    /// - Throws: `program-missing`.
    package static func besideThis() throws -> DevicePrograms {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        return try DevicePrograms(folder: folder)
    }

    /// Finds them in a folder.
    ///
    /// - Throws: `program-missing`.
    package init(folder: String) throws {
        idp = folder + "/countersign-idp"
        client = folder + "/countersign-client"
        for path in [idp, client] where !FileManager.default.isExecutableFile(atPath: path) {
            throw Fault(.programMissing, "\(path) is not there.", next: "Build it: swift build")
        }
    }
}
