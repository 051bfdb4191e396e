package import Basics
import JOSE

/// What surrounds every command: who, to whom, when, in which flow, in answer to what.
package struct Envelope: Sendable, Hashable {
    /// `typ` of the signed part.
    package static let type = "idp-command+jwt"
    /// The longest life of a command (`exp` − `iat`).
    package static let maximumLifetime: Duration = .seconds(60)

    /// The sender (`iss`).
    package var sender: AppID
    /// The receiver (`aud`).
    package var receiver: AppID
    /// The command's own id (`jti`).
    package var id: CommandID
    /// The flow (`flow`).
    package var flow: FlowID
    /// The id of the command that this one answers (`irt`).
    package var inReplyTo: CommandID?
    /// When it was made (`iat`), in whole seconds.
    package var issuedAt: Timestamp
    /// When it is void (`exp`).
    package var expires: Timestamp
    /// The command in the path (`command`).
    package var name: CommandName
    /// The receiver's key that a nested command is encrypted to (`ekid`).
    package var encryptionKeyID: String?
    /// W3C trace context (`traceparent`).
    package var traceparent: String?

    static let members: Set<String> = [
        "iss", "aud", "jti", "flow", "irt", "iat", "exp", "command", "ekid", "traceparent",
    ]

    var json: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "iss": .string(sender.text), "aud": .string(receiver.text), "jti": .string(id.text),
            "flow": .string(flow.text), "iat": .integer(issuedAt.seconds), "exp": .integer(expires.seconds),
            "command": .string(name.rawValue),
        ]
        members["irt"] = inReplyTo.map { .string($0.text) }
        members["ekid"] = encryptionKeyID.map(JSONValue.string)
        members["traceparent"] = traceparent.map(JSONValue.string)
        return members
    }

    init(
        sender: AppID, receiver: AppID, id: CommandID, flow: FlowID, inReplyTo: CommandID?, issuedAt: Timestamp,
        expires: Timestamp, name: CommandName, encryptionKeyID: String?, traceparent: String?
    ) {
        self.sender = sender
        self.receiver = receiver
        self.id = id
        self.flow = flow
        self.inReplyTo = inReplyTo
        self.issuedAt = issuedAt
        self.expires = expires
        self.name = name
        self.encryptionKeyID = encryptionKeyID
        self.traceparent = traceparent
    }

    init(_ members: [String: JSONValue]) throws(Fault) {
        var reader = FieldReader(members)
        sender = try AppID(try reader.text("iss"))
        receiver = try AppID(try reader.text("aud"))
        id = try CommandID(try reader.text("jti"))
        flow = try FlowID(try reader.text("flow"))
        if let text = try reader.optionalText("irt") { inReplyTo = try CommandID(text) } else { inReplyTo = nil }
        guard case .integer(let issued) = reader.optional("iat"), case .integer(let expiry) = reader.optional("exp"),
            (0...(1 << 40)).contains(issued), (0...(1 << 40)).contains(expiry)
        else { throw Fault(.commandMalformed, detail: "iat or exp is not a whole number of seconds") }
        issuedAt = Timestamp(seconds: issued)
        expires = Timestamp(seconds: expiry)
        guard let name = CommandName(rawValue: try reader.text("command")) else {
            throw Fault(.commandMalformed, detail: "unknown command")
        }
        self.name = name
        encryptionKeyID = try reader.optionalText("ekid")
        traceparent = try reader.optionalText("traceparent")
        guard traceparent.map(Envelope.isTraceContext) ?? true else {
            throw Fault(.commandMalformed, detail: "traceparent is no W3C trace context")
        }
        try reader.finish()
    }

    /// `00-{32 hexadecimal}-{16}-{2}` (W3C Trace Context §3.2): a signed-only command has no room for other text.
    private static func isTraceContext(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [2, 32, 16, 2]
            && parts.joined().allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

/// The hash that stands for an app id in a JWE header (`apu`, `apv`; RFC 7518 §4.6.1).
package func partyInfo(_ id: AppID) -> String { Base64URL.encode(Digest.sha256(Array(id.text.utf8))) }
