package import Basics

/// The claims of a JSON Web Token (RFC 7519 §4), from a payload whose signature the caller has dealt with.
package struct JWTClaims: Sendable, Hashable {
    /// All claims.
    package let members: [String: JSONValue]

    /// Takes claims as they are.
    ///
    /// A registered claim of the wrong form reads as nil, and fails its rule.
    package init(_ object: [String: JSONValue]) { members = object }

    /// Reads a payload.
    ///
    /// - Throws: `invalid-claims` unless it is a strict JSON object whose registered claims have the right form.
    package init(_ payload: [UInt8]) throws(Fault) {
        guard case .object(let members) = try? JSONValue(parsing: payload) else {
            throw Fault(.invalidClaims, "The token's payload is not a strict JSON object (RFC 7519 §4).")
        }
        self.init(members)
        for (name, isWellFormed) in [
            ("iss", issuer != nil), ("sub", subject != nil), ("aud", !audience.isEmpty), ("exp", expiration != nil),
            ("nbf", notBefore != nil), ("iat", issuedAt != nil), ("jti", id != nil),
        ] where members[name] != nil && !isWellFormed {
            throw Fault(.invalidClaims, "The claim “\(name)” does not have the form of RFC 7519 §4.1.")
        }
    }

    /// The claim of that name.
    package subscript(_ name: String) -> JSONValue? { members[name] }

    /// `iss`.
    package var issuer: String? { members["iss"]?.stringValue }

    /// `sub`.
    package var subject: String? { members["sub"]?.stringValue }

    /// `aud`: one string or an array of them; empty where it is missing or anything else.
    package var audience: [String] {
        switch members["aud"] {
        case .string(let one): return [one]
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : []
        default: return []
        }
    }

    /// `exp`.
    package var expiration: Timestamp? { timestamp("exp") }

    /// `nbf`.
    package var notBefore: Timestamp? { timestamp("nbf") }

    /// `iat`.
    package var issuedAt: Timestamp? { timestamp("iat") }

    /// `jti`.
    package var id: String? { members["jti"]?.stringValue }

    /// A NumericDate (RFC 7519 §2) up to the end of the year 9999; nil where it is missing or anything else.
    package func timestamp(_ name: String) -> Timestamp? {
        let last: Int64 = 253_402_300_799
        switch members[name] {
        case .integer(let seconds) where (0...last).contains(seconds): return Timestamp(seconds: seconds)
        case .number(let seconds) where seconds >= 0 && seconds <= Double(last):
            return Timestamp(microseconds: Int64(seconds * 1_000_000))
        default: return nil
        }
    }
}
