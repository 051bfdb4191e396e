package import Basics

/// The name of a secret group or of an app as part of a file name.
package enum GroupName {
    /// Refuses a name that could leave its folder or hide in it.
    ///
    /// - Throws: `group-name-refused`.
    package static func require(_ name: String) throws(Fault) {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, (1...100).contains(name.utf8.count), !name.hasPrefix(".") else {
            throw Fault(.groupNameRefused)
        }
    }
}
