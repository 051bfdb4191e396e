package import Basics

/// A URL scheme that an app may claim for itself (RFC 3986 §3.1, RFC 8252 §7.1).
package enum SchemeName {
    private static let everybodys: Set = [
        "http", "https", "file", "data", "javascript", "about", "blob", "ftp", "mailto", "tel", "sms", "ws", "wss",
        "urn", "view-source",
    ]

    /// Checks a scheme, and says what is doubtful about one that may be had.
    ///
    /// - Throws: `scheme-refused`; for an address in a scheme's place with the scheme in it.
    package static func check(_ text: String) throws(Fault) -> [String] {
        if let colon = text.firstIndex(of: ":"), isWellFormed(text[..<colon].lowercased()) {
            throw refusal("a scheme is the part before the colon alone", instead: text[..<colon].lowercased())
        }
        if text != text.lowercased(), isWellFormed(text.lowercased()) {
            throw refusal("a scheme is written in lower case", instead: text.lowercased())
        }
        guard isWellFormed(text) else {
            throw Fault(
                .schemeRefused,
                "a scheme begins with a letter and has lower-case letters, digits, “+”, “.” and “-”, 100 at most.")
        }
        guard !everybodys.contains(text) else { throw Fault(.schemeRefused, "\(text) is nobody's own scheme.") }
        return doubts(text)
    }

    private static func doubts(_ text: String) -> [String] {
        var doubts: [String] = []
        if let odd = text.first(where: { $0.isNumber || $0 == "+" }) {
            doubts.append("Some openers do not take a scheme with “\(odd)” in it; letters, “.” and “-” are safe.")
        }
        if !text.contains(".") {
            doubts.append(
                "Another app may choose \(text) too; a reverse domain name such as com.example.notes is one's own.")
        }
        return doubts
    }

    private static func isWellFormed(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9+.\-]{0,99}/) != nil
    }

    private static func refusal(_ why: String, instead: String) -> Fault {
        Fault(.schemeRefused, "\(why): \(instead)", next: "Give it as: --scheme \(instead)")
    }
}
