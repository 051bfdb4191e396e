import CLinux
import Glibc

/// Cuts what comes out of a pipe into lines.
final class LineReader: Sendable {
    /// A longer line is cut in pieces, so that a child cannot fill the memory with one.
    private static let longestLine = 1 << 20

    /// The lines of a descriptor until its end; the descriptor is closed then.
    static func lines(of descriptor: Int32, on thread: PollThread) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let buffer = LineBuffer { continuation.yield($0) }
        thread.watch(descriptor, for: POLLIN) { _ in
            switch read(descriptor, into: buffer) {
            case .more: return .again
            case .end:
                buffer.finish()
                close(descriptor)
                continuation.finish()
                return .done
            }
        }
        return stream
    }

    private enum Progress { case more, end }

    private static func read(_ descriptor: Int32, into buffer: LineBuffer) -> Progress {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 {
            buffer.append(bytes[..<count], longestLine: longestLine)
            return .more
        }
        let error = countersign_errno()
        return count < 0 && (error == EAGAIN || error == EINTR) ? .more : .end
    }
}
