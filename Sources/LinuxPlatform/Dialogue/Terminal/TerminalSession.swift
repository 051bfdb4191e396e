import Basics
import CLinux
import Glibc
import Platform

/// A terminal for the length of one question: its bytes come from a thread of their own, so that cancellation and
/// deadline need no key.
final class TerminalSession {
    private let input: Int32
    private let output: Int32
    private let thread = PollThread()
    private var chunks: AsyncStream<[UInt8]>.Iterator?
    private var reader = TerminalKeyReader()
    private var keys: [TerminalKey] = []
    private var text: [UInt8] = []

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    deinit { thread.stop() }

    /// Writes to the terminal.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if countersign_errno() != EINTR {
                return
            }
        }
    }

    /// The next key, in the mode for keys.
    func nextKey() async throws -> TerminalKey {
        while keys.isEmpty { keys = reader.read(try await nextChunk()) }
        return keys.removeFirst()
    }

    /// The next line, in a mode for lines; `nil` at the end of input.
    func nextLine() async throws -> String? {
        while !text.contains(UInt8(ascii: "\n")) {
            let chunk = try await nextChunk(endsInput: true)
            if chunk.isEmpty { return nil }
            text += chunk
        }
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        text.removeFirst(line.count + 1)
        return String(decoding: line, as: UTF8.self)
    }

    /// The columns of the terminal.
    var width: Int {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
        return Int(size.ws_col)
    }

    private func nextChunk(endsInput: Bool = false) async throws -> [UInt8] {
        // Read from the first question on, and not before: by then the terminal's mode is set and what was typed ahead is
        // thrown away, so that it cannot answer a question that was not yet seen.
        if chunks == nil { chunks = startReading() }
        if let chunk = await chunks?.next(isolation: #isolation) { return chunk }
        try Task.checkCancellation()
        if endsInput { return [] }
        throw Fault(.interactionRequired, "The terminal has gone.", next: "Run the command again in a terminal.")
    }

    private func startReading() -> AsyncStream<[UInt8]>.Iterator {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        thread.watch(input, for: POLLIN) { [input] _ in
            guard let bytes = TerminalSession.read(input) else {
                continuation.finish()
                return .done
            }
            continuation.yield(bytes)
            return .again
        }
        return stream.makeAsyncIterator()
    }

    /// What has been typed; `nil` at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        repeat {
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, countersign_errno() == EINTR { continue }
            guard count > 0 else { return bytes.isEmpty ? nil : bytes }
            bytes += buffer[..<count]
            // An escape character may be a key, or the first byte of an arrow key whose rest is on its way.
        } while bytes.last == 0x1B && poll(&entry, 1, 50) > 0
        return bytes
    }
}
