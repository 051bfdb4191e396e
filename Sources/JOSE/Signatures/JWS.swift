package import Basics

/// Making signed tokens (RFC 7515 §5.1).
package enum JWS {
    /// Signs a payload; `alg` is set from the key.
    ///
    /// - Throws: `cryptography-failed`.
    package static func sign(
        _ payload: [UInt8], header: [String: JSONValue], by key: SigningKey
    ) throws(Fault) -> String {
        var header = header
        header["alg"] = .string(key.algorithm.rawValue)
        let input = Base64URL.encode(JSONValue.object(header).serialized()) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
    }
}
