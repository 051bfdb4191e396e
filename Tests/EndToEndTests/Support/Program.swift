import Basics
import Glibc

/// The executables under test: they lie beside the test program.
enum Program: String {
    case idp = "countersign-idp"
    case client = "countersign-client"
    case lab = "countersign"

    var path: String { Program.folder + "/" + rawValue }

    /// The folder of the program that runs these tests.
    private static let folder: String = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }()
}

/// Programs of the system that some tests use.
enum Tool: String {
    case gdbus, busctl, curl, gio, openssl

    /// Where it is installed; `nil` where it is not.
    var path: String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + rawValue }.first { access($0, X_OK) == 0 }
    }

    var isInstalled: Bool { path != nil }
}
