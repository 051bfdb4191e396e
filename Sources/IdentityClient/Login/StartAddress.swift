import Basics
import FoundationEssentials
import Handoff

/// Which addresses an invitation may have an app open afterwards: https on a registered host, or the app's own scheme.
enum StartAddress {
    /// Refuses everything else, before anything else happens.
    ///
    /// A URL command is refused too: an invitation that opens the next one would go round for ever.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes.
    ///   - hosts: the https hosts registered for the app.
    /// - Throws: `start-url-refused`.
    static func check(_ address: String, schemes: [String], hosts: [String]) throws(Fault) {
        guard address.utf8.count <= 2_048, !CommandURL.isClaimed(address, schemes: schemes),
            let url = URL(string: address, encodingInvalidCharacters: false), let scheme = url.scheme
        else { throw Fault(.startURLRefused) }
        if schemes.contains(where: { sameBytes($0, scheme) }) { return }
        guard sameBytes(scheme, "https"), url.user == nil, url.port == nil, let host = url.host,
            hosts.contains(where: { sameBytes($0, host) })
        else { throw Fault(.startURLRefused) }
    }
}
