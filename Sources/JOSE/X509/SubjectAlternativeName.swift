import COpenSSL

/// One name that a certificate speaks for (RFC 5280 §4.2.1.6).
package enum SubjectAlternativeName: Hashable, Sendable {
    /// A host.
    case dns(String)
    /// An IPv4 or IPv6 address, as text.
    case ip(String)
    /// A URI; for an app, `urn:countersign:app:ID`.
    case uri(String)

    /// The name of an app.
    package static func app(_ id: String) -> SubjectAlternativeName { .uri("urn:countersign:app:\(id)") }

    /// The name as text.
    package var text: String {
        switch self {
        case .dns(let text), .ip(let text), .uri(let text): text
        }
    }

    var type: Int32 {
        switch self {
        case .dns: GEN_DNS
        case .ip: GEN_IPADD
        case .uri: GEN_URI
        }
    }

    /// The name as a certificate has it; nil where the text is no such name.
    ///
    /// Hosts are in lower case.
    var bytes: [UInt8]? {
        switch self {
        case .dns(let text):
            let bytes = Array(text.lowercased().utf8)
            return bytes.isEmpty || !bytes.allSatisfy(SubjectAlternativeName.isHostByte) ? nil : bytes
        case .uri(let text):
            let bytes = Array(text.utf8)
            return bytes.isEmpty || !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) ? nil : bytes
        case .ip(let text):
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = Int(countersign_ip_bytes(text, &bytes))
            return count == 0 ? nil : Array(bytes.prefix(count))
        }
    }

    /// The name of these bytes in a certificate; nil for other types and bytes that are no name.
    init?(type: Int32, bytes: [UInt8]) {
        switch type {
        case GEN_DNS: self = .dns(String(decoding: bytes, as: UTF8.self))
        case GEN_URI: self = .uri(String(decoding: bytes, as: UTF8.self))
        case GEN_IPADD where bytes.count == 4 || bytes.count == 16:
            var text = [CChar](repeating: 0, count: 46)
            guard countersign_ip_text(bytes, Int32(bytes.count), &text) == 1 else { return nil }
            self = .ip(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        default: return nil
        }
        // A name with bytes that no such name has (a zero byte, say) is not repaired, it is no name.
        guard self.bytes != nil else { return nil }
    }

    /// Letters, digits, hyphen, dot; and the star of a wildcard, which is compared as it stands.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "*"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
