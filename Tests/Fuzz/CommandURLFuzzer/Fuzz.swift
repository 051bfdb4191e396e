import Basics
import Handoff

/// Any bytes as a URL: what is read is byte for byte what came, and claiming and reading agree.
private func fuzz(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let schemes = ["notes", "Key"]
    fuzzClassic(text)
    let isClaimed = CommandURL.isClaimed(text, schemes: schemes)
    do throws(Fault) {
        let url = try CommandURL(text, schemes: schemes)
        // Ending the process is how a finding is reported to libFuzzer.
        guard isClaimed == (url != nil) else { fatalError("claiming and reading differ") }
        guard url.map({ Array($0.text.utf8) == bytes }) ?? true else { fatalError("read as another URL") }
    } catch {
        // Ending the process is how a finding is reported to libFuzzer.
        guard isClaimed else { fatalError("refused without being claimed") }
    }
}

/// The same bytes in the scheme for classic clients: whatever they are, they are read or refused.
private func fuzzClassic(_ text: String) {
    let scheme = "classic"
    for url in [text, "\(scheme)://oauth2/v1.0/authrequest?\(text)"] where ClassicURL.isClaimed(url, scheme: scheme) {
        guard let read = try? ClassicURL(url, scheme: scheme), let request = try? ClassicLoginRequest(read) else {
            continue
        }
        // Ending the process is how a finding is reported to libFuzzer.
        guard !request.clientID.isEmpty, !request.redirectURI.isEmpty else {
            fatalError("a request without its fields")
        }
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
