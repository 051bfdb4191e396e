import Basics

/// A compact serialisation, taken apart: strict base64url between dots, a strict JSON header in front.
struct CompactParts {
    let header: [String: JSONValue]
    /// The header as it came: what a JWE authenticates.
    let headerText: [UInt8]
    /// What follows the header, decoded.
    let rest: [[UInt8]]

    /// - Throws: `token-too-large`, `malformed-token`, `unsupported-header`.
    init(_ text: [UInt8], count: Int, maximumBytes: Int) throws(Fault) {
        guard text.count <= maximumBytes else { throw Fault(.tokenTooLarge) }
        let texts = text.split(separator: UInt8(ascii: "."), maxSplits: count, omittingEmptySubsequences: false)
        guard texts.count == count else { throw Fault(.malformedToken) }
        var parts: [[UInt8]] = []
        for text in texts {
            guard let part = Base64Alphabet.url.decode(text) else {
                throw Fault(.malformedToken, "A part of the token is not base64url (RFC 7515 §2).")
            }
            parts.append(part)
        }
        guard case .object(let header) = try? JSONValue(parsing: parts[0]) else {
            throw Fault(.malformedToken, "The token's header is not a strict JSON object (RFC 7515 §4).")
        }
        self.header = header
        headerText = Array(texts[0])
        rest = Array(parts.dropFirst())
        try checkHeader()
    }

    private func checkHeader() throws(Fault) {
        // No extension is understood here, so by RFC 7515 §4.1.11 every token that needs one is refused. `b64`
        // (RFC 7797) would change what is signed.
        guard header["crit"] == nil, header["b64"] == nil else { throw Fault(.unsupportedHeader) }
        guard case .string = header["alg"] else {
            throw Fault(.malformedToken, "The token's header has no alg (RFC 7515 §4.1.1).")
        }
        for name in ["kid", "typ", "cty", "enc"] {
            if let value = header[name], value.stringValue == nil {
                throw Fault(.malformedToken, "The token's header parameter “\(name)” is not a string.")
            }
        }
    }
}
