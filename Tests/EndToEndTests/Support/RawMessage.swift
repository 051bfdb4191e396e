/// A D-Bus message as bytes (D-Bus specification, "Message Protocol"), little-endian and no more of it than tests need.
struct RawMessage: Equatable {
    /// `METHOD_CALL`, `METHOD_RETURN`, `ERROR` or `SIGNAL`.
    var type: UInt8
    /// The serial of the call that this answers.
    var replySerial: UInt32?
    var signature: String
    var body: [UInt8]

    static let methodReturn: UInt8 = 2

    /// The bytes of a call.
    static func call(
        _ member: String, of interface: String, at destination: String, path: String, signature: String,
        body: [UInt8], serial: UInt32, expectsReply: Bool = true
    ) -> [UInt8] {
        var fields = RawWriter()
        for (code, type, text) in [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination)] {
            fields.align(8)
            fields.bytes.append(UInt8(code))
            fields.signature(type)
            fields.string(text)
        }
        if !signature.isEmpty {
            fields.align(8)
            fields.bytes.append(8)
            fields.signature("g")
            fields.signature(signature)
        }
        var message = RawWriter()
        message.bytes = [UInt8(ascii: "l"), 1, expectsReply ? 0 : 1, 1]
        message.number(UInt32(body.count))
        message.number(serial)
        message.number(UInt32(fields.bytes.count))
        message.bytes += fields.bytes
        message.align(8)
        return message.bytes + body
    }

    /// The body of `Open`: URLs, and no platform data.
    static func open(_ urls: [String]) -> [UInt8] {
        var array = RawWriter()
        for url in urls { array.string(url) }
        var body = RawWriter()
        body.number(UInt32(array.bytes.count))
        body.bytes += array.bytes
        body.align(4)
        body.number(0)
        body.align(8)
        return body.bytes
    }

    /// How many bytes the message at the start has; `nil` while too few are there to tell.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 16 else { return nil }
        let reader = RawReader(Array(bytes.prefix(16)))
        let fields = (Int(reader.number(at: 12)) + 7) / 8 * 8
        return 16 + fields + Int(reader.number(at: 4))
    }

    /// Reads a whole message.
    init(_ bytes: [UInt8]) {
        let reader = RawReader(bytes)
        type = bytes[1]
        signature = ""
        let end = 16 + Int(reader.number(at: 12))
        body = Array(bytes[((end + 7) / 8 * 8)...])
        var place = 16
        while place < end {
            place = (place + 7) / 8 * 8
            let (code, kind) = (bytes[place], bytes[place + 2])
            place += 4
            switch kind {
            case UInt8(ascii: "u"):
                if code == 5 { replySerial = reader.number(at: place) }
                place += 4
            case UInt8(ascii: "g"):
                let count = Int(bytes[place])
                if code == 8 { signature = String(decoding: bytes[(place + 1)..<(place + 1 + count)], as: UTF8.self) }
                place += count + 2
            default: place += 4 + Int(reader.number(at: place)) + 1
            }
        }
    }
}

/// Writes D-Bus values.
struct RawWriter {
    var bytes: [UInt8] = []

    mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

    mutating func number(_ value: UInt32) {
        align(4)
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func string(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    mutating func signature(_ text: String) {
        bytes.append(UInt8(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }
}

private struct RawReader {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func number(at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }
}
