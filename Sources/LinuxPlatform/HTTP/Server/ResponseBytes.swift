import Platform

/// Puts a response into bytes. Length, date and connection are the server's to say, whatever the handler said.
struct ResponseBytes {
    /// The bytes of the response written last.
    private(set) var bytes: [UInt8] = []

    /// Writes a response.
    ///
    /// - Parameters:
    ///   - date: the text of the `Date` field.
    ///   - withoutBody: whether the request was HEAD: the fields are those of the whole response.
    ///   - closes: whether the connection ends after it.
    mutating func write(_ response: HTTPResponse, date: String, withoutBody: Bool, closes: Bool) {
        bytes.removeAll(keepingCapacity: true)
        guard isWritable(response) else {
            // A line end in a field would let its author write the rest of the response.
            return write(
                HTTPResponse(status: 500), date: date, withoutBody: withoutBody, closes: closes)
        }
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        bytes += "HTTP/1.1 ".utf8
        append(number: response.status)
        bytes += StatusText.line(response.status).utf8
        bytes += "Date: ".utf8
        bytes += date.utf8
        for field in response.headers.fields where !ResponseBytes.isOurs(field.name) {
            bytes += "\r\n".utf8
            bytes += field.name.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
        }
        if hasBody {
            bytes += "\r\nContent-Length: ".utf8
            append(number: response.body.count)
        }
        bytes += (closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n").utf8
        if hasBody, !withoutBody { bytes += response.body }
    }

    private mutating func append(number: Int) { bytes += String(number).utf8 }

    private func isWritable(_ response: HTTPResponse) -> Bool {
        (200...599).contains(response.status)
            && response.headers.fields.allSatisfy { field in
                !field.name.isEmpty && field.name.utf8.allSatisfy(\.isTokenByte)
                    && field.value.utf8.allSatisfy { $0 >= .space && $0 != .delete || $0 == .tab }
            }
    }

    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.lowercased() == "date"
        case 10: name.lowercased() == "connection" || name.lowercased() == "keep-alive"
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }
}

/// The phrases of the status line (RFC 9110 §15).
enum StatusText {
    /// What follows the number, with the line's end.
    static func line(_ status: Int) -> String {
        switch status {
        case 200: " OK\r\n"
        case 201: " Created\r\n"
        case 204: " No Content\r\n"
        case 302: " Found\r\n"
        case 303: " See Other\r\n"
        case 304: " Not Modified\r\n"
        case 307: " Temporary Redirect\r\n"
        case 400: " Bad Request\r\n"
        case 401: " Unauthorized\r\n"
        case 403: " Forbidden\r\n"
        case 404: " Not Found\r\n"
        case 405: " Method Not Allowed\r\n"
        case 406: " Not Acceptable\r\n"
        case 408: " Request Timeout\r\n"
        case 409: " Conflict\r\n"
        case 413: " Content Too Large\r\n"
        case 415: " Unsupported Media Type\r\n"
        case 417: " Expectation Failed\r\n"
        case 421: " Misdirected Request\r\n"
        case 429: " Too Many Requests\r\n"
        case 431: " Request Header Fields Too Large\r\n"
        case 500: " Internal Server Error\r\n"
        case 501: " Not Implemented\r\n"
        case 503: " Service Unavailable\r\n"
        case 505: " HTTP Version Not Supported\r\n"
        // The phrase may be empty; its space may not (RFC 9112 §4).
        default: " \r\n"
        }
    }
}
