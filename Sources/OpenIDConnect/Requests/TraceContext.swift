import Basics
import JOSE

/// The place of one message in its flow, as W3C Trace Context writes it: the trace id is the flow's UUID.
///
/// It says which log lines belong together. Whoever sends it may say anything, so nothing is decided by it.
package struct TraceContext: Sendable, Hashable {
    /// The flow, a UUID in lower case.
    package let flow: String
    /// The message within the flow: 16 hexadecimal digits.
    package let span: String

    /// The context of a new message; nothing where the flow is no UUID.
    package init?(flow: String, spanBytes: [UInt8]) {
        self.init("00-\(flow.filter { $0 != "-" })-\(Hex.encode(Array(spanBytes.prefix(8))))-01")
        guard self.flow == flow else { return nil }
    }

    /// Reads a `traceparent` of version 00 (W3C Trace Context §3.2).
    package init?(_ text: String?) {
        guard let text, text.utf8.count == 55 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isHexadecimal = parts.allSatisfy { part in
            part.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
        }
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], isHexadecimal, parts[0] == "00",
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        var rest = parts[1]
        flow = [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
        span = String(parts[2])
    }

    /// The value of the header field, and of the claim, `traceparent`.
    package var text: String { "00-\(flow.filter { $0 != "-" })-\(span)-01" }
}
