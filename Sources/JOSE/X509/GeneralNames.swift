import Basics
import COpenSSL

/// A list of names as OpenSSL holds it.
struct GeneralNames: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a list that OpenSSL made.
    init?(adopting pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    /// Makes a list.
    ///
    /// - Throws: `certificate-refused` where a name is none.
    init(_ names: [SubjectAlternativeName]) throws(Fault) {
        guard let pointer = countersign_names_new() else { throw Fault.openSSL("list names") }
        do throws(Fault) {
            for name in names { try GeneralNames.add(name, to: pointer) }
        } catch {
            countersign_names_free(pointer)
            throw error
        }
        self.pointer = pointer
    }

    deinit { countersign_names_free(pointer) }

    /// The DNS names, URIs and IP addresses; other types are left out.
    var names: [SubjectAlternativeName] {
        (0..<max(0, countersign_names_count(pointer))).compactMap { index in
            var bytes: UnsafePointer<UInt8>?
            var count: Int32 = 0
            let type = countersign_names_at(pointer, index, &bytes, &count)
            return SubjectAlternativeName(
                type: type, bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        }
    }

    private static func add(_ name: SubjectAlternativeName, to pointer: OpaquePointer) throws(Fault) {
        guard let bytes = name.bytes else {
            throw Fault(.certificateRefused, "“\(name.text)” is not a DNS name, IP address or URI.")
        }
        guard countersign_names_add(pointer, name.type, bytes, Int32(bytes.count)) == 1 else {
            throw Fault.openSSL("list names")
        }
    }
}
