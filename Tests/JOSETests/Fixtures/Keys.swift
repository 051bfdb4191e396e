import Basics
import JOSE

/// One key of each kind, made once: RSA keys take their time.
enum Keys {
    static let es256 = generated(.es256)
    static let rs256 = generated(.rs256)
    static let ps256 = generated(.ps256)
    static let edDSA = generated(.edDSA)

    static func signing(_ algorithm: SignatureAlgorithm) -> SigningKey {
        switch algorithm {
        case .es256: es256
        case .rs256: rs256
        case .ps256: ps256
        case .edDSA: edDSA
        }
    }

    private static func generated(_ algorithm: SignatureAlgorithm) -> SigningKey {
        do {
            return try SigningKey.generate(algorithm)
        } catch {
            // Without a key no test of this module means anything.
            fatalError("\(error)")
        }
    }
}

extension JSONValue {
    /// The object with some members changed; null takes a member out.
    func with(_ changes: [String: JSONValue]) -> JSONValue {
        var members = objectValue ?? [:]
        for (name, value) in changes { members[name] = value == .null ? nil : value }
        return .object(members)
    }

    /// The object without its private members.
    var publicPart: JSONValue {
        with(["d": .null, "p": .null, "q": .null, "dp": .null, "dq": .null, "qi": .null])
    }
}
