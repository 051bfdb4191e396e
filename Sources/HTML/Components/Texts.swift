extension Markup {
    /// The page's one question.
    package static func heading(_ text: String) -> Markup { "<h1>\(text)</h1>" }

    /// The sentence below the heading.
    package static func lead(_ text: Markup) -> Markup { "<p class=\"lead\">\(text)</p>" }

    /// A paragraph.
    package static func paragraph(_ text: Markup) -> Markup { "<p>\(text)</p>" }

    /// Emphasis on a text that someone else may have written, such as an account's name.
    package static func strong(_ text: String) -> Markup { "<strong>\(foreign(text))</strong>" }

    /// What ends a card: how to take a decision back, who asked, when the request ends.
    package static func footer(_ text: Markup) -> Markup { "<footer>\(text)</footer>" }

    /// What an app would be able to do, one line for each scope.
    package static func scopes(_ lines: [String]) -> Markup {
        "<ul class=\"scopes\">\(lines.map { "<li>\($0)</li>" as Markup })</ul>"
    }

    /// Names and values side by side.
    package static func facts(_ rows: [(name: String, value: Markup)]) -> Markup {
        "<dl class=\"facts\">\(rows.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as Markup })</dl>"
    }
}
