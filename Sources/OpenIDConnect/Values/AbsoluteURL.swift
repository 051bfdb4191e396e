/// An absolute URI taken apart by RFC 3986 appendix B, and refused where it is not made of RFC 3986's characters.
///
/// Nothing is repaired or normalised: what was written is what is compared.
struct AbsoluteURL {
    /// The scheme in lower case (RFC 3986 §3.1).
    let scheme: String
    /// The part between `//` and the path; nil where there is no `//`.
    let authority: String?
    /// The authority without its port.
    let host: String?
    let port: String?
    let path: String
    let query: String?
    let fragment: String?

    init?(_ text: String) {
        guard (1...2_048).contains(text.utf8.count), AbsoluteURL.hasOnlyURLCharacters(text) else { return nil }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        scheme = text[..<colon].lowercased()
        guard AbsoluteURL.isScheme(scheme) else { return nil }
        var rest = text[text.index(after: colon)...]
        fragment = AbsoluteURL.cut(&rest, at: "#")
        query = AbsoluteURL.cut(&rest, at: "?")
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            let authority = String(rest[..<end])
            guard let (host, port) = AbsoluteURL.split(authority: authority) else { return nil }
            (self.authority, self.host, self.port) = (authority, host, port)
            rest = rest[end...]
        } else {
            (authority, host, port) = (nil, nil, nil)
        }
        path = String(rest)
        guard ![path, query ?? "", fragment ?? ""].contains(where: { $0.contains("[") || $0.contains("]") }) else {
            return nil
        }
    }

    /// Whether the host is this machine, by one of its three names (RFC 8252 §7.3, §8.3).
    var isLoopback: Bool { host == "localhost" || host == "127.0.0.1" || host == "[::1]" }

    /// Whether a secret may be sent there: by TLS, or without leaving this machine.
    var isConfidential: Bool { scheme == "https" || (scheme == "http" && isLoopback) }

    private static func cut(_ rest: inout Substring, at mark: Character) -> String? {
        guard let index = rest.firstIndex(of: mark) else { return nil }
        defer { rest = rest[..<index] }
        return String(rest[rest.index(after: index)...])
    }

    private static func isScheme(_ scheme: String) -> Bool {
        guard let first = scheme.utf8.first, isLetter(first) else { return false }
        return scheme.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Host and port; nil where there is a userinfo, which only ever misleads a reader, or a malformed part.
    private static func split(authority: String) -> (host: String, port: String?)? {
        guard !authority.contains("@") else { return nil }
        let host: Substring
        var rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            guard host.dropFirst().dropLast().utf8.allSatisfy({ isHexDigit($0) || ":.".utf8.contains($0) }) else {
                return nil
            }
            rest = authority[authority.index(after: end)...]
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<end]
            rest = authority[end...]
        }
        guard !rest.contains("["), !rest.contains("]"), !host.dropFirst().contains("[") else { return nil }
        guard rest.hasPrefix(":") else { return rest.isEmpty ? (String(host), nil) : nil }
        rest = rest.dropFirst()
        guard rest.utf8.allSatisfy(isDigit), let number = UInt32(rest), (1...65_535).contains(number) else {
            return nil
        }
        return (String(host), String(rest))
    }

    private static func hasOnlyURLCharacters(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2]) else {
                    return false
                }
            } else if !isLetter(byte), !isDigit(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
