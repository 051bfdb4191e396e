import Synchronization

/// Bytes that wait for the end of their line.
final class LineBuffer: Sendable {
    private let pending = Mutex<[UInt8]>([])
    private let emit: @Sendable (String) -> Void

    init(emit: @escaping @Sendable (String) -> Void) { self.emit = emit }

    func append(_ bytes: ArraySlice<UInt8>, longestLine: Int) {
        let lines = pending.withLock { pending in
            var lines: [String] = []
            var rest = bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                pending += rest[..<end]
                lines.append(LineBuffer.take(&pending))
                rest = rest[(end + 1)...]
            }
            pending += rest
            if pending.count > longestLine { lines.append(LineBuffer.take(&pending)) }
            return lines
        }
        for line in lines { emit(line) }
    }

    /// Emits what came after the last line's end.
    func finish() {
        let last = pending.withLock { $0.isEmpty ? nil : LineBuffer.take(&$0) }
        if let last { emit(last) }
    }

    private static func take(_ bytes: inout [UInt8]) -> String {
        defer { bytes = [] }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
