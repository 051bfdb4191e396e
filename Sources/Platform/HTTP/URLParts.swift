/// An absolute URL with an authority, split strictly (RFC 3986 §3): ASCII only, whole percent triplets, no user
/// information. Nothing is decoded and nothing repaired.
package struct URLParts: Sendable, Hashable {
    /// The scheme in lower case.
    package let scheme: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    /// The port, where it is written and not the scheme's own.
    package let port: Int?
    /// The path as it is written; never empty.
    package let path: String
    /// What stands between the question mark and the number sign, as it is written.
    package let query: String?
    /// What follows the number sign, as it is written.
    package let fragment: String?

    /// The authority as a `Host` field has it, such as `127.0.0.1:8443`.
    package var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// Scheme, host and port (RFC 6454 §6.2), such as `https://idp.example:8443`.
    package var origin: String { "\(scheme)://\(authority)" }

    /// Splits the text; nothing when it is not such a URL.
    package init?(_ text: String) {
        guard URLParts.isWellFormed(text) else { return nil }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, URLParts.isLetter(first),
            scheme.utf8.allSatisfy({ URLParts.isLetter($0) || URLParts.isDigit($0) || "+-.".utf8.contains($0) })
        else { return nil }

        var rest = text[text.index(colon, offsetBy: 3)...]
        fragment = URLParts.cut("#", from: &rest)
        query = URLParts.cut("?", from: &rest)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let (host, port) = URLParts.split(authority: rest[..<slash]) else { return nil }
        // A number sign or a bracket may stand only where the grammar has one.
        guard !rest[slash...].contains(where: { "[]".contains($0) }), fragment?.contains("#") != true else {
            return nil
        }

        self.scheme = scheme
        self.host = host
        self.port = port == URLParts.defaultPorts[scheme] ? nil : port
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
    }

    private static let defaultPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443]

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }

    /// Only bytes that may stand in a URI, and percent signs only before two hexadecimal digits (RFC 3986 §2).
    private static func isWellFormed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let marks = Array("-._~:/?#[]@!$&'()*+,;=%".utf8)
        for (index, byte) in bytes.enumerated() {
            guard isLetter(byte) || isDigit(byte) || marks.contains(byte) else { return false }
            guard byte == UInt8(ascii: "%") else { continue }
            guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2]) else {
                return false
            }
        }
        return true
    }

    /// Takes what follows the first `mark` off the end of `text`.
    private static func cut(_ mark: Character, from text: inout Substring) -> String? {
        guard let index = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<index] }
        return String(text[text.index(after: index)...])
    }

    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        // User information is where a URL is made to look like another one.
        guard !authority.contains("@") else { return nil }
        var host = authority
        var port: Int?
        if let colon = authority.lastIndex(of: ":"), authority.lastIndex(of: "]").map({ $0 < colon }) ?? true {
            let digits = authority[authority.index(after: colon)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit), let number = Int(digits), 1...65_535 ~= number
            else {
                return nil
            }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("[") {
            let address = host.dropFirst().dropLast()
            guard host.hasSuffix("]"), address.contains(":"),
                address.utf8.allSatisfy({ isHexDigit($0) || ":.".utf8.contains($0) })
            else { return nil }
        } else {
            guard !host.isEmpty, !host.contains(where: { ":[]".contains($0) }) else { return nil }
        }
        return (host.lowercased(), port)
    }
}
