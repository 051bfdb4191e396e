import Basics

/// Any bytes as JSON: what is read is written in a form that reads and writes the same again.
private func fuzz(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let written = value.serialized()
    let again = try? JSONValue(parsing: written)
    // Ending the process is how a finding is reported to libFuzzer.
    guard again == value, again?.serialized() == written else { fatalError("read as another value") }
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
