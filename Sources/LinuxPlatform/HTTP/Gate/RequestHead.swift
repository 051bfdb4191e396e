import Platform

/// The part of a request before its body, after every rule of the gate has held.
struct RequestHead {
    /// How the length of the body is told (RFC 9112 §6.3).
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    var method: String
    var path: String
    var query: String?
    var headers = HTTPHeaders()
    var framing = Framing.length(0)
    /// Whether the peer lets the connection stay open.
    var keepsConnection: Bool
    /// Whether the peer waits for `100 Continue` before it sends the body.
    var expectsContinue = false
}

extension RequestHead {
    /// Reads a header block that a `HeaderScanner` has found whole.
    ///
    /// - Parameters:
    ///   - block: the request line and field lines with the empty last line.
    ///   - authority: what `Host` must be, in lower case.
    ///   - bodyLimit: the longest body that is taken.
    init(_ block: UnsafeBufferPointer<UInt8>, authority: [UInt8], bodyLimit: Int) throws(Refusal) {
        var lines = HeaderLines(block)
        guard let first = lines.next() else { throw .requestLine }
        let line = try RequestLine(first)
        var fields = KnownFields()
        var headers = HTTPHeaders()
        while let line = lines.next() {
            let field = try FieldLine(line)
            try fields.note(field)
            headers.add(try field.nameText(), try field.valueText())
        }
        guard let host = fields.host else { throw .hostMissing }
        guard host.equals(ignoringCase: authority) else { throw .misdirected }
        if let asked = line.authority, !asked.equals(ignoringCase: authority) { throw .misdirected }

        method = try line.methodText()
        path = String(decoding: line.path, as: UTF8.self)
        query = line.query.map { String(decoding: $0, as: UTF8.self) }
        self.headers = headers
        keepsConnection = line.isVersion11 && !fields.asksToClose
        framing = try fields.framing(isVersion11: line.isVersion11)
        if case .length(let length) = framing, length > bodyLimit { throw .bodyTooLarge }
        expectsContinue = try fields.expectsContinue() && framing != .length(0)
    }
}
