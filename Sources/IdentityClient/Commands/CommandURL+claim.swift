package import Basics
package import Handoff

extension CommandURL {
    /// Refuses a URL that is no command for an app with these schemes.
    ///
    /// - Throws: `protocol-version` for one of another version, with both; else `not-for-this-app`.
    package static func requireClaimed(_ url: String, schemes: [String]) throws(Fault) {
        if isClaimed(url, schemes: schemes) { return }
        guard let other = otherVersion(in: url, schemes: schemes) else { throw Fault(.notForThisApp) }
        throw Fault(
            .protocolVersion, "The URL is of protocol \(other), and this app speaks \(version).")
    }
}
