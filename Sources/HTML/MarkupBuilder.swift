/// Puts pieces of markup together, with `if`, `switch` and `for` as in any Swift.
@resultBuilder
package enum MarkupBuilder {
    package static func buildExpression(_ markup: Markup) -> [Markup] { [markup] }
    package static func buildExpression(_ markup: Markup?) -> [Markup] { markup.map { [$0] } ?? [] }
    package static func buildExpression(_ parts: [Markup]) -> [Markup] { parts }
    package static func buildBlock(_ parts: [Markup]...) -> [Markup] { parts.flatMap(\.self) }
    package static func buildOptional(_ parts: [Markup]?) -> [Markup] { parts ?? [] }
    package static func buildEither(first parts: [Markup]) -> [Markup] { parts }
    package static func buildEither(second parts: [Markup]) -> [Markup] { parts }
    package static func buildArray(_ parts: [[Markup]]) -> [Markup] { parts.flatMap(\.self) }
    package static func buildFinalResult(_ parts: [Markup]) -> Markup { parts.reduce(.empty, +) }
}

extension Markup {
    /// The pieces one after the other.
    package init(@MarkupBuilder _ content: () -> Markup) { self = content() }
}
