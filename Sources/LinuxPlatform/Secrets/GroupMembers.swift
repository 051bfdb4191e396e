import Basics
package import JOSE

/// Who belongs to a secret group, as its keeper signed it (docs/handoff-protocol.md): `members.jws` in the group's folder.
package struct GroupMembers: Sendable, Equatable {
    static let type = "group-members+jwt"
    /// Room for some hundred members.
    private static let limits = JSONValue.Limits(bytes: 196_608, depth: 6)
    static let maximumBytes = 262_144

    /// The group.
    package let group: String
    /// The version of the group key; a new one begins whenever a member leaves.
    package let version: Int64
    /// Counts the lists of one version.
    package let revision: Int64
    /// SHA-256 of the group key, so that a key cannot be slipped in beside the list.
    let keyDigest: [UInt8]
    /// The members' encryption keys, by app id.
    package let members: [String: EncryptionKey]

    /// Whether this list was made before `other`.
    func isOlder(than other: GroupMembers) -> Bool {
        (version, revision) < (other.version, other.revision)
    }

    /// The list as a JWS that its keeper signs.
    func signed(by key: SigningKey) throws(Fault) -> String {
        let entries = members.sorted { $0.key < $1.key }.map { app, key -> JSONValue in
            ["app": .string(app), "thumbprint": .string(key.thumbprint.value), "jwk": key.jwk.json]
        }
        let payload: JSONValue = [
            "group": .string(group), "version": .integer(version), "revision": .integer(revision),
            "key_digest": .string(Base64URL.encode(keyDigest)), "members": .array(entries),
        ]
        let header: [String: JSONValue] = ["typ": .string(GroupMembers.type), "kid": .string(key.keyID)]
        return try JWS.sign(payload.serialized(), header: header, by: key)
    }

    /// Reads a list that the keeper of `group` signed with the key that is pinned for it.
    ///
    /// - Throws: `group-list-refused`, whatever the reason.
    init(_ compact: [UInt8], group: String, signedBy key: VerificationKey) throws(Fault) {
        do throws(Fault) {
            let token = try UnverifiedJWS(
                compact: String(decoding: compact, as: UTF8.self), maximumBytes: GroupMembers.maximumBytes)
            let payload = try token.verified(by: key)
            guard token.type == GroupMembers.type else { throw Fault(.groupListRefused, detail: "typ") }
            try self.init(try JSONValue(parsing: payload, limits: GroupMembers.limits))
        } catch {
            throw Fault(.groupListRefused, detail: "\(error.code): \(error.detail ?? "")", underlying: error)
        }
        guard self.group == group else { throw Fault(.groupListRefused, detail: "for another group") }
    }

    private init(_ payload: JSONValue) throws(Fault) {
        guard let group = payload["group"]?.stringValue, let version = payload["version"]?.integerValue,
            let revision = payload["revision"]?.integerValue, let digest = payload["key_digest"]?.stringValue,
            let entries = payload["members"]?.arrayValue
        else { throw Fault(.groupListRefused, detail: "a member of the payload is missing") }
        var members: [String: EncryptionKey] = [:]
        for entry in entries {
            guard let app = entry["app"]?.stringValue, let jwk = entry["jwk"], members[app] == nil else {
                throw Fault(.groupListRefused, detail: "an entry without app or key, or twice the same app")
            }
            let key = try EncryptionKey(try JWK(jwk))
            guard entry["thumbprint"]?.stringValue == key.thumbprint.value else {
                throw Fault(.groupListRefused, detail: "a thumbprint that is not its key's")
            }
            members[app] = key
        }
        self.init(
            group: group, version: version, revision: revision, keyDigest: try Base64URL.decode(digest),
            members: members)
    }

    init(group: String, version: Int64, revision: Int64, keyDigest: [UInt8], members: [String: EncryptionKey]) {
        self.group = group
        self.version = version
        self.revision = revision
        self.keyDigest = keyDigest
        self.members = members
    }
}
