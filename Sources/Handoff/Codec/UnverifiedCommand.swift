package import Basics
package import JOSE

/// A command as it was decoded: nothing in it has been checked, so nothing of it may be logged, shown or stored.
package struct UnverifiedCommand: Sendable {
    /// The shape it came in.
    package let url: CommandURL
    /// The signed part; its signature is not checked.
    package let signedPart: UnverifiedJWS
    /// What surrounds the command.
    package let envelope: Envelope
    /// The command's own fields, unread.
    package let fields: [String: JSONValue]
    /// The header of the encryption around it, where there was one.
    package let encryptionHeader: [String: JSONValue]?
    /// The thumbprint of the key that decrypted it, where one did.
    package let decryptedBy: KeyThumbprint?

    /// Decodes the token: decrypts where it is encrypted, then parses once.
    ///
    /// - Throws: `undecryptable`, one code for every way in which decryption fails, or `command-malformed`.
    package init(_ url: CommandURL, decryptionKeys: [DecryptionKey]) throws(Fault) {
        self.url = url
        var compact = url.token
        let isNested = compact.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4
        if isNested {
            let sealed: UnverifiedJWE
            do throws(Fault) {
                sealed = try UnverifiedJWE(compact: compact)
            } catch {
                throw Fault(.undecryptable)
            }
            guard let key = decryptionKeys.first(where: { sameBytes($0.thumbprint.value, sealed.keyID) }),
                let text = String(validating: try sealed.decrypted(by: key), as: UTF8.self)
            else { throw Fault(.undecryptable) }
            compact = text
            encryptionHeader = sealed.header
            decryptedBy = key.thumbprint
        } else {
            encryptionHeader = nil
            decryptedBy = nil
        }
        do throws(Fault) {
            signedPart = try UnverifiedJWS(compact: compact)
            let claims = try JSONValue(parsing: signedPart.unverifiedPayload, limits: .init(bytes: 8_192, depth: 8))
            guard let members = claims.objectValue else { throw Fault(.commandMalformed) }
            envelope = try Envelope(members.filter { Envelope.members.contains($0.key) })
            fields = members.filter { !Envelope.members.contains($0.key) }
        } catch {
            throw Fault(.commandMalformed, detail: error.detail, underlying: error)
        }
    }
}
