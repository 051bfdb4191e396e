import Basics
import OpenIDConnect
import Platform

/// A request that is not answered as asked: an OAuth error and what goes with it.
///
/// Rendered in one place.
struct Refusal: Error, Sendable {
    /// `error` and `error_description`.
    var error: OAuthError
    /// Members beside those two, such as `auth_session`.
    var members: [String: JSONValue] = [:]
    /// Header fields such as `WWW-Authenticate`.
    var headers: [(name: String, value: String)] = []
    /// Another status than the code's own.
    var status: Int?

    /// - Parameters:
    ///   - description: which rule, and what to do next; in the characters of RFC 6749 §5.2.
    ///   - detail: for the log alone.
    init(_ code: OAuthError.Code, _ description: String, detail: String? = nil) {
        error = OAuthError(code, description, detail: detail)
    }

    init(_ error: OAuthError) { self.error = error }

    /// The status of the answer.
    var effectiveStatus: Int { status ?? error.status }
}

/// Runs a step whose own faults mean one refusal on the wire; which rule it was stays in the log.
func refusing<Result>(
    _ code: OAuthError.Code, _ description: String, _ work: () throws -> Result
) throws -> Result {
    do {
        return try work()
    } catch let refusal as Refusal {
        throw refusal
    } catch let fault as Fault {
        guard fault.code.kind != .environment else { throw fault }
        throw Refusal(code, description, detail: fault.detail.map { "\(fault.code): \($0)" } ?? fault.code.name)
    }
}
