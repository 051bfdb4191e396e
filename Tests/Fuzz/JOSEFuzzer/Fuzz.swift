import Basics
import JOSE

private let signing = try? SigningKey.generate(.es256)
private let decryption = try? DecryptionKey.generate()

/// Any bytes as a token, signed or encrypted, or as a key: nothing is verified and nothing opens.
private func fuzz(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    // Ending the process is how a finding is reported to libFuzzer: without keys there is nothing to try.
    guard let signing, let decryption else { fatalError("no keys") }
    if let token = try? UnverifiedJWS(compact: text) {
        // Ending the process is how a finding is reported to libFuzzer.
        guard (try? token.verified(by: signing.verificationKey)) == nil else { fatalError("verified") }
        guard token.compact == text else { fatalError("read as another token") }
        _ = try? JWTClaims(token.unverifiedPayload)
    }
    if let token = try? UnverifiedJWE(compact: text) {
        // Ending the process is how a finding is reported to libFuzzer.
        guard (try? token.decrypted(by: decryption)) == nil else { fatalError("opened") }
    }
    if let key = try? JWK(parsing: text) {
        for algorithm in SignatureAlgorithm.allCases { _ = try? VerificationKey(key, algorithm: algorithm) }
        _ = try? EncryptionKey(key)
    }
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
