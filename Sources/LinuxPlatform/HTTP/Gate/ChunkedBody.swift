/// Reads a chunked body (RFC 9112 §7.1) as it arrives. Extensions and trailers are refused: nobody here needs them,
/// and two readers may understand them differently.
struct ChunkedBody {
    private enum Step {
        case size
        case data(Int)
        case dataEnd
        case end
    }

    /// The decoded bytes so far.
    private(set) var bytes: [UInt8] = []
    private var step = Step.size
    private let limit: Int

    /// Makes a reader that takes at most `limit` decoded bytes.
    init(limit: Int) { self.limit = limit }

    /// Reads on.
    ///
    /// - Returns: how many bytes were used, and whether the body has ended with them.
    mutating func read(_ input: UnsafeBufferPointer<UInt8>) throws(Refusal) -> (used: Int, isComplete: Bool) {
        var used = 0
        while true {
            let rest = input[used...]
            switch step {
            case .size:
                guard let (size, count) = try ChunkedBody.size(rest) else { return (used, false) }
                guard bytes.count + size <= limit else { throw .bodyTooLarge }
                used += count
                step = size == 0 ? .end : .data(size)
            case .data(let missing):
                let taken = min(missing, rest.count)
                guard taken > 0 else { return (used, false) }
                bytes.append(contentsOf: rest.prefix(taken))
                used += taken
                step = taken == missing ? .dataEnd : .data(missing - taken)
            case .dataEnd, .end:
                guard try ChunkedBody.startsWithLineEnd(rest) else { return (used, false) }
                used += 2
                if case .end = step { return (used, true) }
                step = .size
            }
        }
    }

    private static func size(_ rest: HeaderBytes) throws(Refusal) -> (size: Int, count: Int)? {
        var size = 0
        var digits = 0
        for byte in rest {
            if byte == .carriageReturn {
                guard digits > 0 else { throw .chunk }
                guard try startsWithLineEnd(rest.dropFirst(digits)) else { return nil }
                return (size, digits + 2)
            }
            digits += 1
            guard digits <= 8, let value = byte.hexadecimalValue else { throw .chunk }
            size = size << 4 | value
        }
        return nil
    }

    private static func startsWithLineEnd(_ rest: HeaderBytes) throws(Refusal) -> Bool {
        if let first = rest.first, first != .carriageReturn { throw .chunk }
        guard rest.count >= 2 else { return false }
        guard rest[rest.startIndex + 1] == .lineFeed else { throw .chunk }
        return true
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
