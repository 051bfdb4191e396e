package import Basics
import FoundationEssentials
import Platform
import StrictYAML

/// What a home says of itself: `home.yaml`.
package struct HomeFile: Sendable, Equatable {
    /// The newest form of homes that this program knows.
    static let schema = 1

    package let createdAt: Timestamp
    /// The provider's issuer, fixed when the home is made.
    package let issuer: String
    /// The port that the provider listens at.
    package let port: UInt16
    /// The numeric address that it listens at, where that is not the loopback.
    package let listen: String?
    /// Whether it serves https with a certificate of the home's authority.
    package let tls: Bool

    init(createdAt: Timestamp, address: HomeAddress) {
        self.createdAt = createdAt
        issuer = address.issuer
        port = address.port
        listen = address.listen
        tls = address.tls
    }

    /// Reads the file.
    ///
    /// - Throws: `home-too-new` for a later schema, `invalid-yaml` with the line for everything else that is wrong.
    init(parsing bytes: [UInt8], file: String) throws(Fault) {
        let root = try YAMLNode(parsing: bytes, file: file)
        let schema = try root.requiredInt(at: "schema")
        // Before anything else: a later form may have other keys.
        guard schema <= HomeFile.schema else {
            throw Fault(.homeTooNew, "\(file) has schema \(schema), and this program knows \(HomeFile.schema).")
        }
        guard schema == HomeFile.schema else { throw try root.required("schema").refusal("there is no such schema.") }
        try root.expectKeys(["schema", "created-at", "issuer", "port", "listen", "tls"])
        createdAt = try ManifestRules.instant(root.required("created-at"))
        issuer = try HomeFile.issuer(root.required("issuer"))
        let port = try root.required("port")
        guard let number = UInt16(exactly: try port.asInt()), number > 0 else {
            throw port.refusal("a port is a number from 1 to 65535.")
        }
        self.port = number
        listen = try root.string(at: "listen")
        tls = try root.requiredBool(at: "tls")
    }

    var bytes: [UInt8] {
        var pairs: [(key: String, value: YAMLWriter.Value)] = [
            ("schema", .number(HomeFile.schema)), ("created-at", .text(createdAt.description)),
            ("issuer", .text(issuer)), ("port", .number(Int(port))),
        ]
        if let listen { pairs.append(("listen", .text(listen))) }
        pairs.append(("tls", .bool(tls)))
        return Array(YAMLWriter.text(.mapping(pairs)).utf8)
    }

    private static func issuer(_ node: YAMLNode) throws(Fault) -> String {
        let text = try node.asString()
        do throws(Fault) {
            guard try HomeAddress.origin(text) == text else { throw Fault(.addressRefused) }
        } catch {
            throw node.refusal("not an issuer: \(error.text)")
        }
        return text
    }
}
