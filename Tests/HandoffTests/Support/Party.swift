import Basics
import Handoff
import JOSE

/// One app of the tests with its keys, as itself and as others pin it.
struct Party: Sendable {
    let id: AppID
    let role: AppRole
    let scheme: String
    let command: SigningKey
    let encryption: DecryptionKey

    init(_ id: String, _ role: AppRole, scheme: String, algorithm: SignatureAlgorithm = .es256) throws {
        self.id = try AppID(id)
        self.role = role
        self.scheme = scheme
        command = try SigningKey.generate(algorithm)
        encryption = try DecryptionKey.generate()
    }

    var peer: Peer {
        Peer(
            id: id, role: role, displayName: "The app \(id)", scheme: scheme, commandKeys: [command.verificationKey],
            encryptionKey: encryption.encryptionKey)
    }

    var sealer: CommandSealer { CommandSealer(sender: id, key: command) }

    func receiver(_ rules: VerificationRules = .standard) -> CommandReceiver {
        CommandReceiver(
            id: id, role: role, schemes: [scheme], decryptionKeys: [encryption], dangerouslyWith: rules)
    }
}

/// The apps of the tests, made once, and the instant at which everything happens.
enum World {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let client = made("com.example.notes", .client, scheme: "notes")
    static let otherClient = made("com.example.mail", .client, scheme: "mail")
    static let idp = made("com.example.idp", .identityProvider, scheme: "idp")
    static let otherIDP = made("org.example.idp", .identityProvider, scheme: "orgidp")
    static let stranger = made("net.example.stranger", .client, scheme: "stranger")
    /// One key of each other algorithm; RSA keys take their time.
    static let edDSA = made("com.example.eddsa", .client, scheme: "eddsa", .edDSA)
    static let ps256 = made("com.example.ps256", .client, scheme: "ps256", .ps256)
    static let rs256 = made("com.example.rs256", .client, scheme: "rs256", .rs256)

    static let all = [client, otherClient, idp, otherIDP, edDSA, ps256, rs256]

    /// Everyone but the stranger.
    static func registry(_ id: AppID) -> Peer? { all.first { $0.id == id }?.peer }

    static func flow(_ number: Int = 1) throws -> FlowID {
        let digits = String(number, radix: 16)
        return try FlowID("0b54a4a5-2c3e-4c55-9d1b-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }

    static func commandID(_ number: UInt8 = 1) -> CommandID {
        CommandID(randomBytes: [UInt8](repeating: number, count: 16))
    }

    private static func made(
        _ id: String, _ role: AppRole, scheme: String, _ algorithm: SignatureAlgorithm = .es256
    ) -> Party {
        do {
            return try Party(id, role, scheme: scheme, algorithm: algorithm)
        } catch {
            // Without keys no test of this module means anything.
            fatalError("\(error)")
        }
    }
}
