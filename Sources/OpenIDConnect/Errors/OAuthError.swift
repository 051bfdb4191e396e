package import Basics

/// A refusal in OAuth's form: what goes on the wire, and what only the log may hold.
package struct OAuthError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `error`.
    package let code: Code
    /// `error_description`: what went wrong and what to do, for anyone to read.
    package let description: String
    /// For the log only, already free of secrets.
    package let detail: String?
    /// The HTTP status where the refusal is answered as JSON.
    package let status: Int
    /// Whether the refusal may be sent to the redirect URI of the request.
    package let canRedirect: Bool
    /// Further members of the JSON form, such as `auth_session`.
    package var members: [String: JSONValue]

    /// Makes a refusal; status and redirection are the code's own unless given.
    package init(
        _ code: Code, _ description: String, detail: String? = nil, status: Int? = nil, canRedirect: Bool? = nil,
        members: [String: JSONValue] = [:]
    ) {
        self.code = code
        self.description = OAuthError.allowed(description)
        self.detail = detail
        self.status = status ?? code.status
        self.canRedirect = canRedirect ?? code.canRedirect
        self.members = members
    }

    /// Makes a refusal out of a broken rule: its public text and next step, with its name in the detail.
    package init(_ code: Code, _ fault: Fault, canRedirect: Bool? = nil) {
        let detail = [fault.code.name, fault.detail].compactMap { $0 }.joined(separator: ": ")
        self.init(code, "\(fault.text) \(fault.nextStep)", detail: detail, canRedirect: canRedirect)
    }

    /// Reads the answer of a server, which may be any server: what is not an OAuth error is `server_error`.
    package init(json: JSONValue, status: Int) {
        let name = json["error"]?.stringValue.map(OAuthError.allowed) ?? ""
        let isName = (1...64).contains(name.utf8.count)
        self.init(
            isName ? Code(rawValue: name) : .serverError,
            json["error_description"]?.stringValue ?? "The server answered \(status) and gave no reason.",
            status: status,
            members: (json.objectValue ?? [:]).filter { $0.key != "error" && $0.key != "error_description" })
    }

    /// The JSON form (RFC 6749 §5.2).
    package var json: JSONValue {
        var all = members
        all["error"] = .string(code.rawValue)
        all["error_description"] = .string(description)
        return .object(all)
    }

    /// The fields for a redirect (RFC 6749 §4.1.2.1).
    package var fields: [(String, String)] { [("error", code.rawValue), ("error_description", description)] }

    /// The refusal as this product's error, for a client's caller.
    package var fault: Fault {
        Fault(
            .providerRefused, "The provider refused: \(code.rawValue). \(description)", detail: detail, underlying: self
        )
    }

    /// The characters that RFC 6749 appendix A.8 allows in a description; others are written in its letters or left out.
    private static func allowed(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars.prefix(1_024) {
            switch scalar {
            case "\"", "“", "”", "‘", "’": bytes.append(UInt8(ascii: "'"))
            case "§": bytes += "section ".utf8
            case "…": bytes += "...".utf8
            case "–", "—": bytes.append(UInt8(ascii: "-"))
            case "\\": bytes.append(UInt8(ascii: "/"))
            default: if (0x20...0x7E).contains(scalar.value) { bytes.append(UInt8(scalar.value)) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
