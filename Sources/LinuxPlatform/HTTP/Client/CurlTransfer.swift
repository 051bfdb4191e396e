import Basics
import CCurl
import Platform
import Synchronization

/// One call on its way: what libcurl needs while it runs, and the task that waits for it.
// Unchecked: the plain members are touched on the engine's thread only; the waiter and the mark are locked.
final class CurlTransfer: @unchecked Sendable {
    /// A response, and where it sends the client.
    struct Answer: Sendable {
        var response: HTTPResponse
        /// The absolute form of `Location`.
        var redirect: String?
    }

    typealias Outcome = Result<Answer, any Error>

    private struct Waiter {
        var continuation: CheckedContinuation<Answer, any Error>?
        var isCancelled = false
    }

    private let call: HTTPCall
    private let waiter = Mutex(Waiter())
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headers = HTTPHeaders()
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(_ call: HTTPCall) { self.call = call }

    var isCancelled: Bool { waiter.withLock { $0.isCancelled } }

    func markCancelled() { waiter.withLock { $0.isCancelled = true } }

    func wait(_ continuation: CheckedContinuation<Answer, any Error>) {
        waiter.withLock { $0.continuation = continuation }
    }

    /// The one place where the waiting task goes on; a second call finds nobody.
    func finish(_ outcome: Outcome) {
        let continuation = waiter.withLock { waiter in
            defer { waiter.continuation = nil }
            return waiter.continuation
        }
        continuation?.resume(with: outcome)
    }

    /// Frees what libcurl needed.
    func release() {
        curl_slist_free_all(fields)
        fields = nil
    }
}

// MARK: Sending

extension CurlTransfer {
    /// Sets a handle up for the call.
    func prepare(_ easy: UnsafeMutableRawPointer, _ configuration: CurlHTTPClient.Configuration) throws(Fault) {
        let target = try CallTarget(call.url)
        let route = configuration.routes[target.authority]
        var url = call.url
        if let route {
            let path: String
            switch route {
            case .socket(let socket): path = socket
            case .plainSocket(let socket):
                path = socket
                if target.isSecure { url = "http" + url.dropFirst("https".count) }
            }
            countersign_curl_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, path)
        }
        countersign_curl_set_string(easy, CURLOPT_URL, url)
        countersign_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // libcurl would follow a redirect with this call's socket, wherever it leads: `Redirect` does it.
        countersign_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        if target.isLoopback || route != nil { countersign_curl_set_string(easy, CURLOPT_NOPROXY, "*") }

        // On is the default; here to be read.
        countersign_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        countersign_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        countersign_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.authorityFile { countersign_curl_set_string(easy, CURLOPT_CAINFO, file) }

        countersign_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        countersign_curl_set_long(easy, CURLOPT_TIMEOUT_MS, call.timeout.wholeMilliseconds)
        countersign_curl_set_long(
            easy, CURLOPT_CONNECTTIMEOUT_MS, min(configuration.connectTimeout, call.timeout).wholeMilliseconds)
        // The length that an answer to HEAD tells is not its own.
        let maximum = call.method == "HEAD" ? 0 : max(1, call.maximumBytes)
        countersign_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(maximum))

        setMethod(easy)
        try setFields(easy)
        let context = Unmanaged.passUnretained(self).toOpaque()
        countersign_curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context)?.take(body: bytes, size * count) ?? 0
        }
        countersign_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        countersign_curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context)?.take(field: bytes, size * count) ?? 0
        }
        countersign_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    }

    private func setMethod(_ easy: UnsafeMutableRawPointer) {
        switch call.method {
        case "GET" where call.body.isEmpty: countersign_curl_set_long(easy, CURLOPT_HTTPGET, 1)
        case "HEAD": countersign_curl_set_long(easy, CURLOPT_NOBODY, 1)
        case "POST": setBody(easy)
        default:
            if !call.body.isEmpty { setBody(easy) }
            countersign_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, call.method)
        }
    }

    private func setBody(_ easy: UnsafeMutableRawPointer) {
        countersign_curl_set_long(easy, CURLOPT_POST, 1)
        countersign_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(call.body.count))
        var body = call.body
        // An empty array may have no address, and a null one would mean a body from standard input.
        if body.isEmpty { body = [0] }
        _ = body.withUnsafeMutableBytes { countersign_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
    }

    private func setFields(_ easy: UnsafeMutableRawPointer) throws(Fault) {
        for field in call.headers.fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenByte),
                field.value.utf8.allSatisfy({ $0 >= .space && $0 != .delete || $0 == .tab })
            else {
                // A line end in a field would let its author write the rest of the request.
                throw Fault(
                    .httpUnreachable, "The request holds a header field that cannot be sent.",
                    next: "Remove control characters from: \(field.name.filter { $0.isASCII && $0.isLetter })")
            }
            // libcurl takes `Name:` for an order to leave the field out.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            fields = curl_slist_append(fields, line) ?? fields
        }
        // Waiting for `100 Continue` costs a second wherever it is not understood.
        fields = curl_slist_append(fields, "Expect:") ?? fields
        countersign_curl_set_list(easy, CURLOPT_HTTPHEADER, fields)
    }
}

// MARK: Receiving

extension CurlTransfer {
    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a part of the body; less than was given ends the transfer.
    private func take(body bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard body.count + count <= call.maximumBytes else {
            isTooLarge = true
            return 0
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private func take(field bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        if line.starts(with: "HTTP/".utf8) {
            // A status line: what came before belonged to an interim response.
            headers = HTTPHeaders()
            body = []
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(text(line[..<colon]), text(line[(colon + 1)...]))
        }
        return count
    }

    private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 <= .space }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }

    /// What the ended transfer came to.
    func result(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> Outcome {
        guard code == CURLE_OK else {
            return .failure(CurlFault.make(isTooLarge ? CURLE_FILESIZE_EXCEEDED : code, call))
        }
        var status = 0
        countersign_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        var redirect: UnsafeMutableRawPointer?
        countersign_curl_get_pointer(easy, CURLINFO_REDIRECT_URL, &redirect)
        let url = redirect.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        return .success(Answer(response: HTTPResponse(status: status, headers: headers, body: body), redirect: url))
    }
}

extension Duration {
    /// Whole milliseconds, at least one: nought would mean "for ever" to libcurl.
    fileprivate var wholeMilliseconds: Int { max(1, Int(clamping: wholeMicroseconds / 1_000)) }
}
