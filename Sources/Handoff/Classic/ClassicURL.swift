package import Basics

/// A plain URL of the original protocol, whose fields stand unsigned in the query.
///
/// Nothing in it can be told from a forgery. Which mode a URL is in is decided by its scheme, before anything else of
/// it is looked at: a scheme has one mode.
package struct ClassicURL: Sendable {
    /// The names in the path of the original.
    package enum Name: String, Sendable, CaseIterable {
        case authrequest, authresponse, error, idpinit, idpauthcodeinit
    }

    package let name: Name
    private let fields: FormFields

    /// Whether the URL is in that scheme: then it is a classic one, or nothing.
    package static func isClaimed(_ url: String, scheme: String) -> Bool { url.utf8.starts(with: "\(scheme):".utf8) }

    /// Reads a URL in that scheme. The name in the path may be in any case, as the original has it; all else is exact.
    ///
    /// - Throws: `classic-malformed` for every other shape, a field that is repeated, empty or wrongly escaped, and more
    ///   than 8 KiB.
    package init(_ url: String, scheme: String) throws(Fault) {
        guard url.utf8.count <= CommandURL.maximumBytes else { throw Fault(.classicMalformed, detail: "too large") }
        let start = Array("\(scheme)://oauth2/\(CommandURL.version)/".utf8)
        let bytes = Array(url.utf8)
        guard bytes.starts(with: start), let mark = bytes.firstIndex(of: UInt8(ascii: "?")),
            !bytes.contains(UInt8(ascii: "#"))
        else { throw Fault(.classicMalformed, detail: "the shape of the URL") }
        // ASCII alone is folded: no other letter may stand for one of these.
        let written = bytes[start.count..<mark].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        guard let name = Name.allCases.first(where: { $0.rawValue.utf8.elementsEqual(written) }) else {
            throw Fault(.classicMalformed, detail: "no such command")
        }
        self.name = name
        do throws(Fault) {
            fields = try FormFields(parsing: bytes[(mark + 1)...], limit: 32)
        } catch {
            throw Fault(.classicMalformed, detail: error.detail)
        }
        guard fields.repeatedNames.isEmpty else { throw Fault(.classicMalformed, detail: "a repeated field") }
    }

    /// The value of a field that must be there.
    func required(_ name: String) throws(Fault) -> String {
        guard let value = fields.single(name), !value.isEmpty else {
            throw Fault(.classicMalformed, detail: "\(name) is missing")
        }
        return value
    }

    /// The value of a field that may be there.
    func optional(_ name: String) -> String? { fields.single(name) }

    /// Refuses every field that is not on the list.
    func requireOnly(_ names: [String]) throws(Fault) {
        for pair in fields.pairs where !names.contains(where: { sameBytes($0, pair.name) }) {
            throw Fault(.classicMalformed, detail: "a field that the command does not have")
        }
    }
}
