import Basics
import FoundationEssentials
import Platform

/// Where the two product programs are.
package struct DevicePrograms: Sendable {
    package let idp: String
    package let client: String
    /// The program that runs now.
    let own: String
    /// The laboratory's program.
    let lab: String

    /// Finds them beside the program that runs now.
    ///
    /// - Throws: `program-missing`.
    package static func besideThis() throws -> DevicePrograms {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        return try DevicePrograms(folder: folder, own: own)
    }

    private init(folder: String, own: String) throws {
        self.own = own
        idp = folder + "/countersign-idp"
        client = folder + "/countersign-client"
        lab = folder + "/countersign"
        for path in [idp, client, lab] where !FileManager.default.isExecutableFile(atPath: path) {
            throw Fault(.programMissing, "\(path) is not there.", next: "Build it: swift build")
        }
    }
}
