/// Why the gate turned a request away: the status, and the rule in one sentence that the peer gets to read.
struct Refusal: Error, Equatable {
    let status: Int
    let reason: String

    private init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

extension Refusal {
    static let controlByte = Refusal(400, "The header holds a control byte (RFC 9110 §5.5).")
    static let bareLineFeed = Refusal(400, "A line ends without a carriage return (RFC 9112 §2.2).")
    static let bareCarriageReturn = Refusal(400, "A carriage return stands alone (RFC 9112 §2.2).")
    static let requestLine = Refusal(400, "The request line is not: method, target, version (RFC 9112 §3).")
    static let target = Refusal(400, "The request target is not a path of this server (RFC 9112 §3.2).")
    static let fieldName = Refusal(400, "A field name is missing or is not a token (RFC 9110 §5.1).")
    static let spaceBeforeColon = Refusal(400, "White space stands before a colon (RFC 9112 §5.1).")
    static let foldedField = Refusal(400, "A field is folded over lines (RFC 9112 §5.2).")
    static let fieldEncoding = Refusal(400, "A field value is not UTF-8.")
    static let hostMissing = Refusal(400, "The request has no Host field (RFC 9112 §3.2).")
    static let repeatedField = Refusal(400, "A field that may stand once stands twice (RFC 9110 §5.3).")
    static let length = Refusal(400, "Content-Length is not a plain number (RFC 9112 §6.3).")
    static let twoFramings = Refusal(400, "Content-Length and Transfer-Encoding exclude each other (RFC 9112 §6.1).")
    static let chunk = Refusal(400, "The chunked body is malformed, or has extensions or trailers (RFC 9112 §7.1).")
    static let slow = Refusal(408, "The request did not arrive in time.")
    static let bodyTooLarge = Refusal(413, "The body is longer than this server takes.")
    static let expectation = Refusal(417, "Only the expectation 100-continue is known (RFC 9110 §10.1.1).")
    static let misdirected = Refusal(421, "This server does not answer for that host (RFC 9110 §15.5.20).")
    static let headerTooLarge = Refusal(431, "The header is longer than this server takes.")
    static let method = Refusal(501, "This server does not know the method.")
    static let coding = Refusal(501, "This server does not know the transfer coding.")
    static let full = Refusal(503, "This server has no room for another connection.")
    static let overdue = Refusal(503, "The answer took too long.")
    static let version = Refusal(505, "This server speaks HTTP/1.1 (RFC 9110 §15.6.6).")
}
