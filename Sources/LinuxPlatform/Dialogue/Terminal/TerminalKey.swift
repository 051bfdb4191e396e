/// A key that a prompt understands.
enum TerminalKey: Equatable {
    case text(String)
    case up
    case down
    case enter
    case backspace
    /// Control-U.
    case clear
    case escape
    /// Control-D.
    case endOfInput
}

/// Reads keys from the bytes of a terminal in raw mode.
struct TerminalKeyReader {
    private var pending: [UInt8] = []

    /// The keys that are complete with these bytes. An escape character at the end of `bytes` is the key: whoever reads
    /// the terminal waits a moment for the rest of a longer sequence.
    mutating func read(_ bytes: [UInt8]) -> [TerminalKey] {
        pending += bytes
        var keys: [TerminalKey] = []
        while let (key, count) = next() {
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The next key, if it is one we know, and the bytes it has.
    private func next() -> (key: TerminalKey?, count: Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return escapeSequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x15: return (.clear, 1)
        case 0x04: return (.endOfInput, 1)
        case 0x09: return (.down, 1)
        case 0x00..<0x20: return (nil, 1)
        default: return character(first)
        }
    }

    private func escapeSequence() -> (key: TerminalKey?, count: Int)? {
        guard pending.count > 1 else { return (.escape, 1) }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return pending.count > 32 ? (nil, pending.count) : nil
        }
        switch pending[end] {
        case UInt8(ascii: "A"): return (.up, end + 1)
        case UInt8(ascii: "B"): return (.down, end + 1)
        default: return (nil, end + 1)
        }
    }

    private func character(_ first: UInt8) -> (key: TerminalKey?, count: Int)? {
        let count =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard pending.count >= count else { return nil }
        guard let text = String(validating: pending.prefix(count), as: UTF8.self) else { return (nil, 1) }
        return (.text(text), count)
    }
}
