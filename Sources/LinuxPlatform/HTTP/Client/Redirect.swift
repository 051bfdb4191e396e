import Basics
import Platform

/// Where a redirect leads a call (RFC 9110 §15.4).
enum Redirect {
    /// The call to make after the answer to `call`.
    ///
    /// - Throws: `http-unreachable` when the way leads from https to http.
    static func call(after call: HTTPCall, _ status: Int, to url: String) throws(Fault) -> HTTPCall {
        let old = try CallTarget(call.url)
        let new = try CallTarget(url)
        guard new.isSecure || !old.isSecure else {
            throw Fault(.httpUnreachable, "\(old.authority) redirects from https to http.")
        }
        let becomesGet = status == 303 || (status == 301 || status == 302) && call.method == "POST"
        let isElsewhere = new.authority != old.authority || new.isSecure != old.isSecure
        var next = call
        next.url = url
        if becomesGet, call.method != "HEAD" {
            next.method = "GET"
            next.body = []
        }
        next.headers = HTTPHeaders()
        for field in call.headers.fields {
            let name = field.name.lowercased()
            if becomesGet, name.hasPrefix("content-") { continue }
            // Credentials are meant for the server that they were given for.
            if isElsewhere, ["authorization", "cookie", "dpop"].contains(name) { continue }
            next.headers.add(field.name, field.value)
        }
        return next
    }
}
