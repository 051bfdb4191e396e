import Basics
import OpenIDConnect
import Platform

/// The parameters of one request: no name twice, and none counted that has no value (RFC 6749 §3.1).
struct Parameters: Sendable {
    /// Name and value, in the order they came.
    let pairs: [(String, String)]

    init(_ pairs: [(String, String)]) { self.pairs = pairs }

    /// Reads the body of a POST, or the query of anything else.
    init(_ request: HTTPRequest) throws {
        guard request.method == "POST" else {
            try self.init(parsing: Array((request.query ?? "").utf8))
            return
        }
        let type = request.headers.single("Content-Type") ?? ""
        guard type.prefix(while: { $0 != ";" }).lowercased().trimmingSpaces() == "application/x-www-form-urlencoded"
        else {
            throw Refusal(.invalidRequest, "The body is not a form. Send application/x-www-form-urlencoded.")
        }
        try self.init(parsing: request.body)
    }

    private init(parsing bytes: [UInt8]) throws {
        guard bytes.count <= 65_536 else {
            throw Refusal(.invalidRequest, "The request has more than 64 KiB of parameters. Send fewer.")
        }
        let form = try refusing(.invalidRequest, "A parameter is not percent-encoded UTF-8. Encode it as a form.") {
            try FormFields(parsing: bytes)
        }
        guard form.repeatedNames.isEmpty else {
            throw Refusal(.invalidRequest, "A parameter came twice (RFC 6749 section 3.1). Send each one once.")
        }
        // Zero ends a text in other programs, so what comes after it would be read by some and not by others.
        guard !form.pairs.contains(where: { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) }) else {
            throw Refusal(.invalidRequest, "A parameter has a zero byte. Send text.")
        }
        pairs = form.pairs.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
    }

    /// The value of that name.
    subscript(_ name: String) -> String? { pairs.first { $0.0 == name }?.1 }

    /// The value of that name.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else {
            throw Refusal(.invalidRequest, "The parameter \(name) is missing. Send it.")
        }
        return value
    }

    /// A hash over all parameters but the named ones, whatever their order.
    func digest(leavingOut left: Set<String>) -> String {
        let kept = pairs.filter { !left.contains($0.0) }.sorted { $0.0 < $1.0 }
        return combinedDigest(kept.flatMap { [$0.0, $0.1] })
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    func trimmingSpaces() -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
