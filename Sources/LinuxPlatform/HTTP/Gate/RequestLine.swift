/// Some bytes of a header block, valid only while the block is.
typealias HeaderBytes = Slice<UnsafeBufferPointer<UInt8>>

/// The lines of a header block, without their ends. The scanner has seen that each CR is followed by LF.
struct HeaderLines {
    private var rest: HeaderBytes

    init(_ block: UnsafeBufferPointer<UInt8>) { rest = block[...] }

    /// The next line, or `nil` at the empty one.
    mutating func next() -> HeaderBytes? {
        guard let end = rest.firstIndex(of: .carriageReturn), end > rest.startIndex else { return nil }
        let line = rest[rest.startIndex..<end]
        rest = rest[(end + 2)...]
        return line
    }
}

/// A request line in its three parts (RFC 9112 §3).
struct RequestLine {
    let method: HeaderBytes
    /// The authority of a target in absolute form.
    private(set) var authority: HeaderBytes?
    let path: HeaderBytes
    let query: HeaderBytes?
    let isVersion11: Bool

    init(_ line: HeaderBytes) throws(Refusal) {
        guard let first = line.firstIndex(of: .space),
            let second = line[(first + 1)...].firstIndex(of: .space)
        else { throw .requestLine }
        method = line[line.startIndex..<first]
        guard !method.isEmpty, method.allSatisfy(\.isTokenByte) else { throw .requestLine }
        isVersion11 = try RequestLine.isVersion11(line[(second + 1)...])

        var target = line[(first + 1)..<second]
        guard target.allSatisfy({ $0 > .space && $0 < .delete && $0 != UInt8(ascii: "#") }) else { throw .target }
        if let start = target.endOfScheme {
            let end = target[start...].firstIndex(of: UInt8(ascii: "/")) ?? target.endIndex
            authority = target[start..<end]
            target = target[end...]
        }
        // `*` is the target of OPTIONS for the server as a whole.
        let isPath = target.first == UInt8(ascii: "/")
        guard isPath || target.elementsEqual("*".utf8) && method.elementsEqual("OPTIONS".utf8) else { throw .target }
        if let mark = target.firstIndex(of: UInt8(ascii: "?")) {
            path = target[target.startIndex..<mark]
            query = target[(mark + 1)...]
        } else {
            path = target
            query = nil
        }
    }

    /// The method, one of those that handlers know.
    func methodText() throws(Refusal) -> String {
        for known in ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"] where method.elementsEqual(known.utf8) {
            return known
        }
        throw .method
    }

    private static func isVersion11(_ version: HeaderBytes) throws(Refusal) -> Bool {
        guard version.count == 8, version.starts(with: "HTTP/".utf8) else { throw .requestLine }
        let major = version[version.startIndex + 5]
        let minor = version[version.startIndex + 7]
        guard major.isDigit, minor.isDigit, version[version.startIndex + 6] == UInt8(ascii: ".") else {
            throw .requestLine
        }
        guard major == UInt8(ascii: "1"), minor <= UInt8(ascii: "1") else { throw .version }
        return minor == UInt8(ascii: "1")
    }
}

extension HeaderBytes {
    /// Where the authority begins in `http://` or `https://` followed by one.
    fileprivate var endOfScheme: Index? {
        guard first == UInt8(ascii: "h") else { return nil }
        for scheme in ["http://", "https://"] where starts(with: scheme.utf8) { return startIndex + scheme.utf8.count }
        return nil
    }

    /// Whether these bytes are `text`, which is in lower case, but for the case of ASCII letters.
    func equals(ignoringCase text: some Collection<UInt8>) -> Bool {
        count == text.count
            && zip(self, text).allSatisfy { mine, other in
                let isCapital = mine >= UInt8(ascii: "A") && mine <= UInt8(ascii: "Z")
                return (isCapital ? mine | 0x20 : mine) == other
            }
    }
}
