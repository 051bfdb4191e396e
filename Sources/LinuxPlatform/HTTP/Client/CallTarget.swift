import Basics
import Platform

/// The part of a call's URL that decides how it is sent.
struct CallTarget {
    let isSecure: Bool
    /// Host and port as they stand in the URL, in lower case.
    let authority: String

    /// Reads an absolute http or https URL.
    init(_ url: String) throws(Fault) {
        let refusal = Fault(
            .httpUnreachable, "The address of the call is not an http or https URL.", next: "Check the issuer's URL.")
        // Nothing but visible ASCII: libcurl would send a line end, or encode what the caller did not.
        guard url.utf8.allSatisfy({ $0 > .space && $0 < .delete }) else { throw refusal }
        let text = url.lowercased()
        isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { throw refusal }
        authority = String(text.dropFirst(isSecure ? 8 : 7).prefix { !"/?#".contains($0) })
        // A name and password in a URL end up in logs.
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else { throw refusal }
    }

    /// Whether the host is this machine by its name or number.
    var isLoopback: Bool {
        let host: Substring
        if authority.first == "[" {
            host = authority.prefix { $0 != "]" }.dropFirst()
        } else {
            host = authority.prefix { $0 != ":" }
        }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || CallTarget.isLoopbackNumber(host)
    }

    private static func isLoopbackNumber(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
