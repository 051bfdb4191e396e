/// A form that is sent to this origin by POST.
package struct Form: Sendable {
    /// The path it is sent to.
    package var action: String
    /// What goes with it unseen: the token against forged requests, the id of the prompt.
    package var hidden: [(name: String, value: String)]
    package var content: Markup

    package init(
        action: String, hidden: [(name: String, value: String)] = [], @MarkupBuilder content: () -> Markup
    ) {
        self.action = action
        self.hidden = hidden
        self.content = content()
    }

    /// The form as markup.
    package var markup: Markup {
        let hiddenFields = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as Markup }
        return "<form method=\"post\" action=\"\(action)\">\n\(hiddenFields)\(content)\n</form>"
    }
}

/// A labelled input.
package struct Field: Sendable {
    package enum Kind: Sendable {
        case text
        /// Its value is never written into a page.
        case password
        /// A short code that is typed over from another screen.
        case code
    }

    package var label: String
    package var name: String
    package var kind: Kind
    /// The tokens of HTML's `autocomplete`, such as `username webauthn`.
    package var autocomplete: String
    package var value: String
    /// What is wrong with the last entry.
    package var problem: String?
    package var isFocused: Bool

    package init(
        _ label: String, name: String, kind: Kind = .text, autocomplete: String = "off", value: String = "",
        problem: String? = nil, isFocused: Bool = false
    ) {
        self.label = label
        self.name = name
        self.kind = kind
        self.autocomplete = autocomplete
        self.value = value
        self.problem = problem
        self.isFocused = isFocused
    }

    /// The label, the input, and the problem where there is one.
    package var markup: Markup {
        let type: Markup =
            switch kind {
            case .text: "type=\"text\" value=\"\(value)\" autocapitalize=\"none\" spellcheck=\"false\""
            case .password: "type=\"password\""
            case .code:
                "type=\"text\" value=\"\(value)\" class=\"code\" autocapitalize=\"characters\" spellcheck=\"false\""
            }
        let state: Markup? = problem.map { _ in " aria-invalid=\"true\" aria-describedby=\"\(name)-problem\"" }
        let focus: Markup? = isFocused ? " autofocus" : nil
        let remark: Markup? = problem.map { "<span class=\"problem\" id=\"\(name)-problem\">\($0)</span>" }
        return """
            <div class="field"><label for="\(name)">\(label)</label><input id="\(name)" name="\(name)" \(type) \
            autocomplete="\(autocomplete)" required\(state)\(focus)>\(remark)</div>
            """
    }
}
