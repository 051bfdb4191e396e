import Glibc
import Synchronization

/// The two streams that a program writes.
package enum OutputStream: Hashable, Sendable {
    case standardOutput
    case standardError
}

/// Where output goes.
package protocol OutputStreams: Sendable {
    /// Writes a text to its end; false where that failed.
    func write(_ text: String, to stream: OutputStream) -> Bool
    /// Whether a stream is a terminal.
    func isTerminal(_ stream: OutputStream) -> Bool
}

/// The process's own standard output and standard error, without a buffer: a line is out when the call returns.
package struct StandardStreams: OutputStreams {
    package init() {}

    package func write(_ text: String, to stream: OutputStream) -> Bool {
        var text = text
        return text.withUTF8 { writeAll($0, to: descriptor(stream)) }
    }

    package func isTerminal(_ stream: OutputStream) -> Bool { isatty(descriptor(stream)) == 1 }

    private func descriptor(_ stream: OutputStream) -> CInt {
        switch stream {
        case .standardOutput: STDOUT_FILENO
        case .standardError: STDERR_FILENO
        }
    }
}

/// Writes all bytes, and again where a signal came between.
///
/// Not inlined: `errno` must be asked on this thread, here.
@inline(never)
private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count < 0, errno == EINTR {
            continue
        } else if count < 0, errno == EAGAIN {
            // The other end made the pipe non-blocking; wait until it takes more.
            var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&poller, 1, 1_000)
        } else {
            return false
        }
    }
    return true
}

/// Streams that keep what is written, for tests.
package final class CollectedStreams: OutputStreams {
    private let texts = Mutex<[OutputStream: String]>([:])
    private let terminals: Set<OutputStream>
    private let failing: Set<OutputStream>

    package init(terminals: Set<OutputStream> = [], failing: Set<OutputStream> = []) {
        self.terminals = terminals
        self.failing = failing
    }

    package func write(_ text: String, to stream: OutputStream) -> Bool {
        guard !failing.contains(stream) else { return false }
        texts.withLock { $0[stream, default: ""] += text }
        return true
    }

    package func isTerminal(_ stream: OutputStream) -> Bool { terminals.contains(stream) }

    /// All that was written to standard output.
    package var standardOutput: String { texts.withLock { $0[.standardOutput] ?? "" } }
    /// All that was written to standard error.
    package var standardError: String { texts.withLock { $0[.standardError] ?? "" } }
}
