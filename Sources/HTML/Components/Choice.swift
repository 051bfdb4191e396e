/// One of several ways to go on, as a button that sends its value.
package struct Choice: Sendable {
    /// What the form sends for this choice.
    package var value: String
    package var title: String
    /// What the choice means, in one line.
    package var explanation: String?
    /// A sign in front; the title's first letter unless given.
    package var sign: String?
    /// Why the choice cannot be taken now; it is then shown, and cannot be pressed.
    package var unavailable: String?
    /// Whether this is the one that Return takes.
    package var isFocused: Bool

    package init(
        _ title: String, value: String, explanation: String? = nil, sign: String? = nil, unavailable: String? = nil,
        isFocused: Bool = false
    ) {
        self.title = title
        self.value = value
        self.explanation = explanation
        self.sign = sign
        self.unavailable = unavailable
        self.isFocused = isFocused
    }

    /// The choice as an item of a list.
    func item(name: String) -> Markup {
        let mark: Markup = sign.map { "<span class=\"mark\" aria-hidden=\"true\">\($0)</span>" } ?? Markup.mark(title)
        let small: Markup? = (unavailable ?? explanation).map { "<small>\($0)</small>" }
        let arrow: Markup? = unavailable == nil ? "<span aria-hidden=\"true\">›</span>" : nil
        let state: Markup? = unavailable == nil ? (isFocused ? " autofocus" : nil) : " disabled"
        return """
            <li><button name="\(name)" value="\(value)"\(state)>\(mark)\
            <span>\(Markup.foreign(title))\(small)</span>\(arrow)</button></li>
            """
    }
}

extension Markup {
    /// A list of choices, to stand in a form; the one that is pressed sends its value under the name.
    package static func choices(_ choices: [Choice], name: String = "choice") -> Markup {
        "<ul class=\"choices\">\(choices.map { $0.item(name: name) })</ul>"
    }
}
