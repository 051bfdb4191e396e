import Basics
import OpenIDConnect
import Platform

/// How the provider writes its answers: one function for each kind.
enum Responses {
    /// JSON that nobody may keep (RFC 6749 §5.1).
    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        json(value.serialized(), status: status)
    }

    /// JSON that has been written already.
    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache",
                "X-Content-Type-Options": "nosniff",
            ],
            body: bytes)
    }

    /// JSON that anyone may keep for a while: metadata and keys.
    static func published(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "public, max-age=300",
                "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*",
            ],
            body: bytes)
    }

    /// An error as JSON: `error`, `error_description` and what the refusal adds.
    static func refusal(_ refusal: Refusal) -> HTTPResponse {
        var members = refusal.error.json.objectValue ?? [:]
        members.merge(refusal.members) { _, added in added }
        var response = json(.object(members), status: refusal.effectiveStatus)
        for (name, value) in refusal.headers { response.headers.add(name, value) }
        return response
    }

    /// Sends the browser on, by 303: a form's answer is never posted again elsewhere.
    static func redirect(to address: String) -> HTTPResponse {
        HTTPResponse(
            status: 303,
            headers: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}
