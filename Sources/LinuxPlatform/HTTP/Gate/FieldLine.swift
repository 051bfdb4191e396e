/// One field line: a name and a value without the white space around it (RFC 9112 §5).
struct FieldLine {
    let name: HeaderBytes
    let value: HeaderBytes

    init(_ line: HeaderBytes) throws(Refusal) {
        guard line.first != .space, line.first != .tab else { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .fieldName }
        name = line[line.startIndex..<colon]
        guard name.last != .space, name.last != .tab else { throw .spaceBeforeColon }
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else { throw .fieldName }
        var start = colon + 1
        var end = line.endIndex
        while start < end, line[start] == .space || line[start] == .tab { start += 1 }
        while end > start, line[end - 1] == .space || line[end - 1] == .tab { end -= 1 }
        value = line[start..<end]
    }

    func nameText() throws(Refusal) -> String { String(decoding: UnsafeBufferPointer(rebasing: name), as: UTF8.self) }

    /// The value; refused rather than repaired when it is not UTF-8.
    func valueText() throws(Refusal) -> String {
        guard let text = String(validating: UnsafeBufferPointer(rebasing: value), as: UTF8.self) else {
            throw .fieldEncoding
        }
        return text
    }
}

/// The fields that the gate itself goes by. Each may stand once.
struct KnownFields {
    private(set) var host: HeaderBytes?
    private var contentLength: HeaderBytes?
    private var transferEncoding: HeaderBytes?
    private var expect: HeaderBytes?
    private var hasContentType = false
    private var hasAuthorization = false
    private(set) var asksToClose = false

    /// Notes the field if it is one of these.
    mutating func note(_ field: FieldLine) throws(Refusal) {
        // The length tells most names apart without a look at their letters.
        switch field.name.count {
        case 4 where field.name.equals(ignoringCase: "host".utf8): try take(&host, field)
        case 14 where field.name.equals(ignoringCase: "content-length".utf8): try take(&contentLength, field)
        case 17 where field.name.equals(ignoringCase: "transfer-encoding".utf8): try take(&transferEncoding, field)
        case 6 where field.name.equals(ignoringCase: "expect".utf8): try take(&expect, field)
        case 12 where field.name.equals(ignoringCase: "content-type".utf8): try take(&hasContentType)
        case 13 where field.name.equals(ignoringCase: "authorization".utf8): try take(&hasAuthorization)
        case 10 where field.name.equals(ignoringCase: "connection".utf8):
            let options = field.value.split(separator: UInt8(ascii: ","))
            asksToClose = asksToClose || options.contains { $0.trimmed.equals(ignoringCase: "close".utf8) }
        default: break
        }
    }

    /// How the body's length is told.
    func framing(isVersion11: Bool) throws(Refusal) -> RequestHead.Framing {
        if let transferEncoding {
            guard contentLength == nil else { throw .twoFramings }
            guard isVersion11, transferEncoding.equals(ignoringCase: "chunked".utf8) else { throw .coding }
            return .chunked
        }
        guard let contentLength else { return .length(0) }
        guard !contentLength.isEmpty, contentLength.allSatisfy(\.isDigit) else { throw .length }
        // Longer numbers may overflow, and no body has that length.
        guard contentLength.count <= 15 else { throw .bodyTooLarge }
        return .length(contentLength.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }

    /// Whether the peer waits for a go-ahead.
    func expectsContinue() throws(Refusal) -> Bool {
        guard let expect else { return false }
        guard expect.equals(ignoringCase: "100-continue".utf8) else { throw .expectation }
        return true
    }

    private func take(_ place: inout HeaderBytes?, _ field: FieldLine) throws(Refusal) {
        guard place == nil else { throw .repeatedField }
        place = field.value
    }

    private func take(_ place: inout Bool) throws(Refusal) {
        guard !place else { throw .repeatedField }
        place = true
    }
}

extension HeaderBytes {
    /// The bytes without spaces and tabs around them.
    fileprivate var trimmed: HeaderBytes {
        let isSpace: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return self[startIndex..<startIndex] }
        return self[...last].drop(while: isSpace)
    }
}
