/// Header fields in their order, with names compared without regard to case (RFC 9110 §5).
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// Name and value of each field line.
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Every value of that name.
    package func values(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// The value of that name where there is exactly one.
    package func single(_ name: String) -> String? {
        let all = values(name)
        return all.count == 1 ? all[0] : nil
    }

    /// Adds a field line.
    package mutating func add(_ name: String, _ value: String) { fields.append((name: name, value: value)) }

    /// Replaces all field lines of that name by one.
    package mutating func set(_ name: String, _ value: String) {
        let wanted = name.lowercased()
        fields.removeAll { $0.name.lowercased() == wanted }
        add(name, value)
    }

    package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name.lowercased() == $1.name.lowercased() && $0.value == $1.value }
    }
}

/// A request as a handler gets it: the gate has checked `Host`, lengths and the header bytes.
package struct HTTPRequest: Sendable {
    package var method: String
    /// The path, percent-encoded as it was received.
    package var path: String
    /// The query without its question mark, as it was received.
    package var query: String?
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// How it came in, for logs: an address, or `unix`.
    package var remote: String

    package init(
        method: String, path: String, query: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        remote: String = "memory"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remote = remote
    }
}

/// A response.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Answers requests. Total: what goes wrong inside becomes a response.
package protocol HTTPHandler: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// A request that a client sends.
package struct HTTPCall: Sendable {
    package var method: String
    /// The absolute URL.
    package var url: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The whole exchange must end within this time.
    package var timeout: Duration
    /// The longest response body that is taken, in bytes.
    package var maximumBytes: Int
    /// Whether redirects are followed; off unless asked for.
    package var followsRedirects: Bool

    package init(
        _ method: String, _ url: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        timeout: Duration = .seconds(10), maximumBytes: Int = 1 << 20, followsRedirects: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumBytes = maximumBytes
        self.followsRedirects = followsRedirects
    }
}

/// Sends requests.
package protocol HTTPClient: Sendable {
    /// Sends the call and returns the response, whatever its status.
    ///
    /// - Throws: `Fault` with `http-unreachable`, `http-timeout`, `http-too-large` or `tls-refused`;
    ///   `CancellationError` when cancelled.
    func send(_ call: HTTPCall) async throws -> HTTPResponse
}
