import Basics
import JOSE
import Platform

/// The files of one secret group: `members.jws`, `key.VERSION.APP.jwe` for each member, `items.sqlite`.
struct GroupFolder: Sendable {
    private static let keyType = "group-key"

    let directory: PrivateDirectory
    let group: String

    var itemsPath: String { directory.path(of: "items.sqlite") }

    // MARK: The list

    /// The list as it stands in the folder, if there is one.
    ///
    /// - Throws: `group-list-refused`.
    func members(signedBy key: VerificationKey) throws(Fault) -> GroupMembers? {
        try members(signedByOneOf: [key])
    }

    /// The list as one of these keys signed it: while the keeper changes its key, there are two.
    ///
    /// - Throws: `group-list-refused`.
    func members(signedByOneOf keys: [VerificationKey]) throws(Fault) -> GroupMembers? {
        guard let compact = try directory.file("members.jws").read(atMost: GroupMembers.maximumBytes) else {
            return nil
        }
        var refusal = Fault(.groupListRefused)
        for key in keys {
            do throws(Fault) {
                return try GroupMembers(compact, group: group, signedBy: key)
            } catch {
                refusal = error
            }
        }
        throw refusal
    }

    /// Puts a new list in place; from then on it holds.
    func write(_ members: GroupMembers, signedBy key: SigningKey) throws(Fault) {
        try directory.file("members.jws").write(Array(try members.signed(by: key).utf8))
    }

    // MARK: The group key

    /// Seals the group key to a member.
    func writeKey(
        _ key: Secret<[UInt8]>, version: Int64, to app: String, _ encryptionKey: EncryptionKey
    ) throws(Fault) {
        let header: [String: JSONValue] = [
            "typ": .string(GroupFolder.keyType), "group": .string(group), "version": .integer(version),
        ]
        let compact = try JWE.encrypt(key.unmasked, header: header, to: encryptionKey)
        try keyFile(version, app).write(Array(compact.utf8))
    }

    /// The group key that `members` names, as it was sealed to a member; `nil` when there is no file for it.
    ///
    /// - Throws: `group-key-refused` when it cannot be opened or is another key.
    func key(
        of members: GroupMembers, for app: String, _ decryptionKeys: [DecryptionKey]
    ) throws(Fault) -> Secret<[UInt8]>? {
        guard let compact = try keyFile(members.version, app).read(atMost: 16_384) else { return nil }
        var refusal = Fault(.groupKeyRefused)
        // While a member changes its key, the file may be for the old one or for the new.
        for decryptionKey in decryptionKeys {
            do throws(Fault) {
                let sealed = try UnverifiedJWE(compact: String(decoding: compact, as: UTF8.self))
                let key = try sealed.decrypted(by: decryptionKey)
                // Anyone can encrypt to a member: only the digest in the signed list makes it the group's key.
                guard constantTimeEqual(GroupFolder.digest(of: Secret(key)), members.keyDigest) else {
                    throw Fault(.groupKeyRefused, detail: "not the key that the list names")
                }
                return Secret(key)
            } catch {
                refusal = Fault(.groupKeyRefused, detail: error.detail ?? error.code.name, underlying: error)
            }
        }
        throw refusal
    }

    /// Removes the sealed keys of all versions but this one.
    func removeKeys(exceptOf version: Int64) throws(Fault) {
        for name in try directory.names() {
            if let found = keyVersion(name), found != version { try directory.file(name).remove() }
        }
    }

    /// Removes the key of this version that was sealed to someone who is not listed.
    func removeKeys(of version: Int64, exceptFor apps: some Collection<String>) throws(Fault) {
        let kept = Set(apps.map { keyFileName(version, $0) })
        for name in try directory.names() where keyVersion(name) == version && !kept.contains(name) {
            try directory.file(name).remove()
        }
    }

    /// The highest version that any sealed key in the folder is of.
    func highestKeyVersion() throws(Fault) -> Int64 { try directory.names().compactMap(keyVersion).max() ?? 0 }

    /// What the list says of a group key.
    static func digest(of key: Secret<[UInt8]>) -> [UInt8] {
        Digest.sha256(SealingContext.bytes("group-key-digest") + key.unmasked)
    }

    private func keyFileName(_ version: Int64, _ app: String) -> String { "key.\(version).\(app).jwe" }

    private func keyFile(_ version: Int64, _ app: String) -> PrivateFile {
        directory.file(keyFileName(version, app))
    }

    private func keyVersion(_ name: String) -> Int64? {
        guard name.hasPrefix("key."), name.hasSuffix(".jwe") else { return nil }
        return Int64(name.dropFirst(4).prefix { $0 != "." })
    }
}
