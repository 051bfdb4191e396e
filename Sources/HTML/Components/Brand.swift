extension Markup {
    /// The line above a card that says whose page this is: the product's mark and its words.
    package static func brand(_ words: String, showsMark: Bool = true) -> Markup {
        "<header class=\"brand\">\(showsMark ? countersignMark : nil)<span>\(words)</span></header>"
    }

    /// Two arcs that answer each other around one point.
    private static let countersignMark: Markup = """
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" \
        aria-hidden="true" focusable="false"><path d="M5 14.5A7.5 7.5 0 0 1 14.5 5"/>\
        <path d="M19 9.5A7.5 7.5 0 0 1 9.5 19"/><circle cx="12" cy="12" r="2.25" fill="currentColor" stroke="none"/></svg>
        """
}
