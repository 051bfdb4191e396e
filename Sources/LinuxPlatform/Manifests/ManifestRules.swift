import Basics
import FoundationEssentials
import JOSE
import Platform
import StrictYAML

/// What each value of a manifest may be. A refusal names the value's line.
enum ManifestRules {
    /// An app id: a reverse domain name that is also a bus name and a file name.
    static func id(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        guard (try? GroupName.require(text)) != nil, BusName.isValid(text), !BusName.isUnique(text) else {
            throw node.refusal(
                "an app id is a reverse domain name, such as com.example.notes (at most 100 characters).")
        }
        return text
    }

    static func name(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        let isShown = text.unicodeScalars.allSatisfy { !isUnseen($0) } && text.contains { !$0.isWhitespace }
        guard isShown, text.count <= 100 else {
            throw node.refusal("a name has 1 to 100 characters, none of them a control or direction-changing one.")
        }
        return text
    }

    /// A URL scheme (RFC 3986 §3.1), in lower case.
    static func scheme(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        do { _ = try SchemeName.check(text) } catch { throw node.refusal(error.text) }
        return text
    }

    static func redirectURI(_ node: YAMLNode) throws(Fault) -> String {
        let text = try visible(node)
        guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:.+/) != nil, !text.contains("#") else {
            throw node.refusal("a redirect URI is absolute and has no fragment (RFC 6749 §3.1.2).")
        }
        return text
    }

    /// A scope token (RFC 6749 §3.3).
    static func scope(_ node: YAMLNode) throws(Fault) -> String {
        let text = try visible(node)
        guard !text.contains(where: { "\"\\".contains($0) }) else {
            throw node.refusal("a scope has no quotation mark and no backslash (RFC 6749 §3.3).")
        }
        return text
    }

    static func domain(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        guard text.wholeMatch(of: /[a-z0-9](?:[a-z0-9.\-]{0,251}[a-z0-9])?/) != nil, !text.contains("..") else {
            throw node.refusal("a domain is a host name in lower case, such as notes.example.")
        }
        return text
    }

    /// An argument, or an identifier that somebody else has made: text without control characters.
    static func argument(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw node.refusal("a text without control characters is wanted here.")
        }
        return text
    }

    static func group(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        do { try GroupName.require(text) } catch { throw node.refusal(error.text) }
        return text
    }

    static func issuer(_ node: YAMLNode) throws(Fault) -> String {
        let text = try visible(node)
        guard let url = URLParts(text), url.query == nil, url.fragment == nil,
            url.scheme == "https" || (url.scheme == "http" && HomeAddress.isLoopback(host: url.host))
        else {
            throw node.refusal("an issuer is an https URL, or an http one to this machine, without query and fragment.")
        }
        return text
    }

    /// The pinned key for commands: a public key for ES256, EdDSA or PS256.
    static func commandKey(_ node: YAMLNode) throws(Fault) -> JSONValue {
        try key(node) { (jwk) throws(Fault) in _ = try VerificationKey(pinned: jwk) }
    }

    /// An instant in UTC, to the millisecond.
    static func instant(_ node: YAMLNode) throws(Fault) -> Timestamp {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = try? style.parse(try node.asString()) else {
            throw node.refusal("a time is wanted here, such as 2026-01-01T09:00:00.000Z.")
        }
        return Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()) * 1_000)
    }

    /// The pinned key for encryption: a public P-256 key.
    static func encryptionKey(_ node: YAMLNode) throws(Fault) -> JSONValue {
        try key(node) { (jwk) throws(Fault) in _ = try EncryptionKey(jwk) }
    }

    private static func key(_ node: YAMLNode, _ check: (JWK) throws(Fault) -> Void) throws(Fault) -> JSONValue {
        do {
            let value: JSONValue
            if case .mapping = node.content {
                value = node.jsonValue
            } else {
                value = try JSONValue(parsing: node.asString())
            }
            try check(try JWK(value))
            return value
        } catch {
            guard error.code != .invalidYAML else { throw error }
            throw node.refusal(error.text)
        }
    }

    private static func visible(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw node.refusal("a text of visible ASCII characters is wanted here.")
        }
        return text
    }

    /// Control characters, line breaks, and what changes the direction of writing.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
