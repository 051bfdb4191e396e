import Basics
import Handoff
import JOSE

/// Makes commands from nothing but claims and a JOSE library, as another language would; and, changed, as a forger
/// would.
struct Forge {
    var sender: Party
    var receiver: Party
    /// The command in the path.
    var path: String
    /// Changed before signing; nil takes a member out.
    var claims: [String: JSONValue?]
    /// Changed before signing.
    var header: [String: JSONValue]
    /// Changed before encryption; the key agreement's own members come on top.
    var encryptionHeader: [String: JSONValue]
    var isNested: Bool
    var signer: SigningKey
    var encryptedTo: EncryptionKey

    /// What the sealer would make of this command, in every part.
    init(_ command: Command, from sender: Party, to receiver: Party, inReplyTo: CommandID? = nil) throws {
        self.sender = sender
        self.receiver = receiver
        path = command.name.rawValue
        isNested = command.name.isPersonal
        signer = sender.command
        encryptedTo = receiver.encryption.encryptionKey
        claims = [
            "iss": .string(sender.id.text), "aud": .string(receiver.id.text),
            "jti": .string(World.commandID(7).text), "flow": .string(try World.flow().text),
            "iat": .integer(World.now.seconds), "exp": .integer(World.now.seconds + 60), "command": .string(path),
        ]
        if isNested { claims["ekid"] = .string(receiver.encryption.thumbprint.value) }
        if let inReplyTo { claims["irt"] = .string(inReplyTo.text) }
        claims.merge(command.fields.mapValues { Optional($0) }) { _, field in field }
        header = ["typ": "idp-command+jwt", "kid": .string(sender.command.keyID)]
        encryptionHeader = [
            "cty": "idp-command+jwt", "kid": .string(receiver.encryption.thumbprint.value),
            "apu": .string(Base64URL.encode(Digest.sha256(Array(sender.id.text.utf8)))),
            "apv": .string(Base64URL.encode(Digest.sha256(Array(receiver.id.text.utf8)))),
        ]
    }

    /// The same with some changes.
    func with(_ change: (inout Forge) throws -> Void) rethrows -> Forge {
        var forge = self
        try change(&forge)
        return forge
    }

    /// The same with one claim changed, or taken out by nil.
    func with(_ name: String, _ value: JSONValue?) -> Forge {
        with { $0.claims.updateValue(value, forKey: name) }
    }

    var payload: [UInt8] { JSONValue.object(claims.compactMapValues { $0 }).serialized() }

    /// The signed part.
    func signed() throws -> String { try JWS.sign(payload, header: header, by: signer) }

    /// A signed part with a header and a signature of any kind.
    func signed(header: [String: JSONValue], signature: ([UInt8]) -> [UInt8]) -> String {
        let input = Base64URL.encode(JSONValue.object(header).serialized()) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(signature(Array(input.utf8)))
    }

    /// That text, encrypted where this command is nested.
    func wrapped(_ text: String) throws -> String {
        isNested ? try JWE.encrypt(Array(text.utf8), header: encryptionHeader, to: encryptedTo) : text
    }

    func url() throws -> String { url(token: try wrapped(try signed())) }

    func url(token: String) -> String { "\(receiver.scheme)://oauth2/v1.0/\(path)?command=\(token)" }

    /// What the receiver makes of it.
    func verified(
        _ rules: VerificationRules = .standard, now: Timestamp = World.now,
        registry: (AppID) throws(Fault) -> Peer? = { id throws(Fault) in World.registry(id) }
    ) throws -> VerifiedCommand? {
        try receiver.receiver(rules).verify(try url(), now: now, registry: registry)
    }

    /// The fault with which the receiver refuses it; nil when it takes it.
    func fault(
        _ rules: VerificationRules = .standard, now: Timestamp = World.now,
        registry: (AppID) throws(Fault) -> Peer? = { id throws(Fault) in World.registry(id) }
    ) throws -> Fault? {
        let url = try url()
        do throws(Fault) {
            let command = try receiver.receiver(rules).verify(url, now: now, registry: registry)
            // A forge makes commands for its receiver: one that is not even claimed is a mistake of the test.
            return command == nil ? Fault(.internalFault) : nil
        } catch {
            return error
        }
    }

    /// The code of that fault.
    func refusal(
        _ rules: VerificationRules = .standard, now: Timestamp = World.now,
        registry: (AppID) throws(Fault) -> Peer? = { id throws(Fault) in World.registry(id) }
    ) throws -> ErrorCode? {
        try fault(rules, now: now, registry: registry)?.code
    }
}

/// The code of the fault that the work throws; nil when it throws none.
func refusal(_ work: () throws -> Void) throws -> ErrorCode? {
    do {
        try work()
        return nil
    } catch let fault as Fault {
        return fault.code
    }
}
