/// A button below a question.
package struct Action: Sendable {
    package enum Prominence: Sendable {
        /// What most people want.
        case primary
        case plain
        /// The way out; always there.
        case quiet
    }

    package var title: String
    package var value: String
    package var prominence: Prominence
    /// Whether the button leaves the form without the browser asking for its fields first.
    package var skipsFields: Bool

    package init(_ title: String, value: String, _ prominence: Prominence = .primary, skipsFields: Bool? = nil) {
        self.title = title
        self.value = value
        self.prominence = prominence
        self.skipsFields = skipsFields ?? (prominence == .quiet)
    }

    func button(name: String) -> Markup {
        let look: Markup? =
            switch prominence {
            case .primary: nil
            case .plain: " class=\"plain\""
            case .quiet: " class=\"quiet\""
            }
        let skip: Markup? = skipsFields ? " formnovalidate" : nil
        return "<button name=\"\(name)\" value=\"\(value)\"\(look)\(skip)>\(title)</button>"
    }
}

extension Markup {
    /// The buttons below a question, to stand in a form; the one that is pressed sends its value under the name.
    package static func actions(_ actions: [Action], name: String = "choice") -> Markup {
        "<div class=\"actions\">\(actions.map { $0.button(name: name) })</div>"
    }
}
