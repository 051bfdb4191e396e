/// A piece of HTML in which everything foreign has been escaped.
///
/// There is one way to make it: a literal in the source. A `String` that is interpolated is escaped, for text and for
/// quoted attributes alike; only another `Markup` goes in as it is. A literal's own parts are `StaticString`, so no
/// text made at run time can pass for one.
///
///     let greeting: Markup = "<p title=\"\(name)\">Good day, \(name).</p>"
package struct Markup: Hashable, Sendable {
    /// The HTML.
    package let html: String

    fileprivate init(verified html: String) { self.html = html }

    /// The text of a style sheet, which is the program's own.
    init(stylesheet: Stylesheet) { html = stylesheet.text }

    /// Nothing.
    package static let empty = Markup(verified: "")

    /// A text, escaped.
    package init(text: String) { html = Markup.escaped(text) }

    package var isEmpty: Bool { html.isEmpty }

    package static func + (left: Markup, right: Markup) -> Markup { Markup(verified: left.html + right.html) }
}

extension Markup: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            html.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: StaticString) { html += literal.description }
        package mutating func appendInterpolation(_ text: String) { html += Markup.escaped(text) }
        package mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }
        package mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
        package mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }

        /// Something that may be absent, and then leaves nothing.
        package mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
    }

    package init(stringLiteral literal: StaticString) { html = literal.description }
    package init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }
}

extension Markup {
    /// A text in which no character can end a text, a quoted attribute, a title or a style element.
    ///
    /// Control characters become U+FFFD: HTML has no place for them, and parsers differ on them.
    package static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result.unicodeScalars.append("\u{FFFD}")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A text that someone else wrote, kept from changing the order of the words around it.
    package static func foreign(_ text: String) -> Markup { "<bdi>\(text)</bdi>" }

    /// A link, or the bare text where the address is not https, or http on this machine: a foreign `javascript:` or
    /// custom scheme never becomes something to press.
    package static func link(_ title: String, to address: String) -> Markup {
        guard isWebAddress(address) else { return Markup(text: title) }
        return "<a href=\"\(address)\" rel=\"noreferrer\">\(title)</a>"
    }

    private static func isWebAddress(_ address: String) -> Bool {
        address.wholeMatch(of: /https:\/\/[^\/\\].*|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:\/?#].*)?/) != nil
    }
}
