import CSystemd

/// A message of sd-bus, read and written through its calls that are not variadic. Valid while sd-bus holds it.
struct BusMessage {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    var member: String? { BusMessage.text(sd_bus_message_get_member(pointer)) }
    var interface: String? { BusMessage.text(sd_bus_message_get_interface(pointer)) }
    var sender: String? { BusMessage.text(sd_bus_message_get_sender(pointer)) }
    var signature: String { BusMessage.text(sd_bus_message_get_signature(pointer, 1)) ?? "" }
    var expectsReply: Bool { sd_bus_message_get_expect_reply(pointer) > 0 }

    /// The name and text of an error reply.
    var error: (name: String, text: String)? {
        guard let error = sd_bus_message_get_error(pointer), let name = BusMessage.text(error.pointee.name) else {
            return nil
        }
        return (name, BusMessage.text(error.pointee.message) ?? "")
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

// MARK: Reading

extension BusMessage {
    /// The next value, where it is a string.
    func readString() -> String? {
        var text: UnsafePointer<CChar>?
        let status = withUnsafeMutablePointer(to: &text) { sd_bus_message_read_basic(pointer, .string, $0) }
        return status > 0 ? BusMessage.text(text) : nil
    }

    /// The next value, where it is an unsigned 32-bit number.
    func readNumber() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(pointer, .number, &number) > 0 ? number : nil
    }

    /// The strings of the next array, at most so many and with so many bytes; the rest is not looked at.
    func readStrings(atMost count: Int, bytes: Int) -> [String] {
        guard sd_bus_message_enter_container(pointer, .array, "s") > 0 else { return [] }
        var strings: [String] = []
        var total = 0
        while strings.count < count, let string = readString() {
            total += string.utf8.count
            if total > bytes { break }
            strings.append(string)
        }
        return strings
    }

    /// The first string inside the next array of variants, where its first variant is a string.
    func readFirstStringVariant() -> String? {
        guard sd_bus_message_enter_container(pointer, .array, "v") > 0,
            sd_bus_message_enter_container(pointer, .variant, "s") > 0
        else { return nil }
        return readString()
    }

    /// The members of the next `a{sv}` that are unsigned 32-bit numbers.
    func readNumbers() -> [String: UInt32] {
        var numbers: [String: UInt32] = [:]
        guard sd_bus_message_enter_container(pointer, .array, "{sv}") > 0 else { return numbers }
        while sd_bus_message_enter_container(pointer, .entry, "sv") > 0 {
            guard let key = readString() else { break }
            if sd_bus_message_enter_container(pointer, .variant, "u") > 0 {
                numbers[key] = readNumber()
                sd_bus_message_exit_container(pointer)
            } else {
                sd_bus_message_skip(pointer, "v")
            }
            sd_bus_message_exit_container(pointer)
        }
        return numbers
    }
}

// MARK: Writing

/// A value that our calls carry.
enum BusArgument: Sendable {
    case string(String)
    case number(UInt32)
    /// `as`
    case strings([String])
    /// `av` of strings
    case variants([String])
    /// An `a{sv}` without members.
    case noOptions
}

extension BusMessage {
    /// Appends a value; says whether there was room.
    func append(_ argument: BusArgument) -> Bool {
        switch argument {
        case .string(let text): sd_bus_message_append_basic(pointer, .string, text) >= 0
        case .number(var number): sd_bus_message_append_basic(pointer, .number, &number) >= 0
        case .strings(let texts): appendArray("s", texts) { append(.string($0)) }
        case .variants(let texts):
            appendArray("v", texts) { text in
                sd_bus_message_open_container(pointer, .variant, "s") >= 0 && append(.string(text))
                    && sd_bus_message_close_container(pointer) >= 0
            }
        case .noOptions: appendArray("{sv}", []) { _ in true }
        }
    }

    private func appendArray(_ contents: String, _ texts: [String], _ element: (String) -> Bool) -> Bool {
        sd_bus_message_open_container(pointer, .array, contents) >= 0 && texts.allSatisfy(element)
            && sd_bus_message_close_container(pointer) >= 0
    }
}

/// The type codes of the D-Bus Specification.
extension CChar {
    fileprivate static let string = CChar(UInt8(ascii: "s"))
    fileprivate static let number = CChar(UInt8(ascii: "u"))
    fileprivate static let array = CChar(UInt8(ascii: "a"))
    fileprivate static let variant = CChar(UInt8(ascii: "v"))
    fileprivate static let entry = CChar(UInt8(ascii: "e"))
}
