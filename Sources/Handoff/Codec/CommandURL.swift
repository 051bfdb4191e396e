package import Basics

/// A URL command's shape: `{scheme}://oauth2/v1.0/{command}?command={compact JOSE}`, exactly, and nothing else.
package struct CommandURL: Sendable, Hashable {
    /// The protocol version in the path.
    package static let version = "v1.0"
    /// The longest URL that is read, in bytes.
    package static let maximumBytes = 8_192

    /// The receiver's scheme.
    package let scheme: String
    /// The command named in the path.
    package let name: CommandName
    /// The compact JOSE token; unread.
    package let token: String

    /// Makes a URL command.
    package init(scheme: String, name: CommandName, token: String) {
        self.scheme = scheme
        self.name = name
        self.token = token
    }

    /// The URL.
    package var text: String { "\(scheme)://oauth2/\(CommandURL.version)/\(name.rawValue)?command=\(token)" }

    /// Whether a URL is one of ours to claim: own scheme, host `oauth2`, our version, a command we know.
    package static func isClaimed(_ url: String, schemes: [String]) -> Bool {
        claim(url, schemes: schemes) != nil
    }

    /// The protocol version of a URL for one of these schemes that names another than ours: `v2.0`, say.
    ///
    /// The text is at most eight characters of a fixed form, so it may be logged although nothing was verified.
    package static func otherVersion(in url: String, schemes: [String]) -> String? {
        for scheme in schemes {
            let start = "\(scheme)://oauth2/".utf8
            let bytes = Substring(url).utf8
            guard bytes.starts(with: start) else { continue }
            let segment = bytes.dropFirst(start.count).prefix { $0 != UInt8(ascii: "/") }
            let text = String(Substring(segment))
            let isVersion =
                segment.first == UInt8(ascii: "v") && (2...8).contains(segment.count)
                && segment.dropFirst().allSatisfy {
                    $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
            return isVersion && !sameBytes(text, version) ? text : nil
        }
        return nil
    }

    /// Reads a URL command addressed to one of `schemes`.
    ///
    /// - Returns: `nil` when the URL is not ours to claim (wrong scheme, host, version or command name).
    /// - Throws: `command-too-large` or `command-shape` for a URL that is ours and wrong.
    package init?(_ url: String, schemes: [String]) throws(Fault) {
        guard let (scheme, name, rest) = CommandURL.claim(url, schemes: schemes) else { return nil }
        guard url.utf8.count <= CommandURL.maximumBytes else { throw Fault(.commandTooLarge) }
        let marker = "?command=".utf8
        guard rest.starts(with: marker) else { throw Fault(.commandShape) }
        let token = rest.dropFirst(marker.count)
        // base64url and dots alone: no second item, no fragment, no percent-encoding to argue about.
        let isCompact =
            !token.isEmpty
            && token.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        guard isCompact else { throw Fault(.commandShape) }
        self.init(scheme: scheme, name: name, token: String(Substring(token)))
    }

    // Byte by byte: a `String` compares by canonical equivalence and cuts between whole characters, so that a combining
    // mark behind a `/` or `?` would hide it.
    private static func claim(
        _ url: String, schemes: [String]
    ) -> (scheme: String, name: CommandName, rest: Substring.UTF8View)? {
        let bytes = Substring(url).utf8
        for scheme in schemes {
            let start = "\(scheme)://oauth2/\(version)/".utf8
            guard bytes.starts(with: start) else { continue }
            let path = bytes.dropFirst(start.count)
            let written = path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            guard let name = CommandName.allCases.first(where: { written.elementsEqual($0.rawValue.utf8) }) else {
                return nil
            }
            return (scheme, name, path.dropFirst(written.count))
        }
        return nil
    }
}
