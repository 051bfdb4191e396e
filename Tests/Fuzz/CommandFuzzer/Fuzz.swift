import Basics
import Handoff
import JOSE

/// What the fuzzer plays against; made once.
private struct Receiver {
    let receiver: CommandReceiver
    let sender: Peer
    let header: String

    init() throws {
        let key = try SigningKey.generate(.es256)
        let decryption = try DecryptionKey.generate()
        receiver = CommandReceiver(
            id: try AppID("com.example.idp"), role: .identityProvider, schemes: ["idp"], decryptionKeys: [decryption])
        sender = Peer(
            id: try AppID("com.example.notes"), role: .client, displayName: "Notes", scheme: "notes",
            commandKeys: [key.verificationKey], encryptionKey: decryption.encryptionKey)
        let members: JSONValue = ["alg": "ES256", "kid": .string(key.keyID), "typ": "idp-command+jwt"]
        header = Base64URL.encode(members.serialized())
    }
}

private let world = try? Receiver()

/// The first byte picks a command, the others are its claims: what is read is written the same again, and nothing
/// without a signature is taken.
private func fuzz(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let name = CommandName.allCases[Int(first) % CommandName.allCases.count]
    let claims = bytes.dropFirst()
    if let fields = (try? JSONValue(parsing: claims))?.objectValue, let command = try? Command(name, fields: fields) {
        let same = JSONValue.object(fields).serialized() == JSONValue.object(command.fields).serialized()
        // Ending the process is how a finding is reported to libFuzzer.
        guard same, command.name == name else { fatalError("read as another command") }
        _ = command.maskedFields
        _ = "\(command)"
    }
    // Ending the process is how a finding is reported to libFuzzer: without keys there is nothing to try.
    guard let world else { fatalError("no keys") }
    let token = "\(world.header).\(Base64URL.encode(claims)).AAAA"
    let url = "idp://oauth2/v1.0/\(name.rawValue)?command=\(token)"
    let taken = try? world.receiver.verify(url, now: Timestamp(seconds: 1_800_000_000)) { _ throws(Fault) in
        world.sender
    }
    // Ending the process is how a finding is reported to libFuzzer.
    guard taken ?? nil == nil else { fatalError("taken without a signature") }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

// The driver looks for this symbol even where the callback is handed to it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Hands the process over to libFuzzer.
func run() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments) { testOneInput($0, $1) }
}
