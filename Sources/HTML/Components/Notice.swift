/// A remark that stands out.
package struct Notice: Sendable {
    package enum Kind: Sendable {
        /// Something to know before deciding.
        case warning
        /// What went wrong; read aloud at once.
        case problem
        /// What went well.
        case success
    }

    package var kind: Kind
    package var text: Markup

    package init(_ kind: Kind, _ text: Markup) {
        self.kind = kind
        self.text = text
    }

    /// The notice as markup.
    package var markup: Markup {
        switch kind {
        case .warning: "<div class=\"notice\" role=\"note\">\(text)</div>"
        case .problem: "<div class=\"notice bad\" role=\"alert\">\(text)</div>"
        case .success: "<div class=\"notice good\" role=\"status\">\(text)</div>"
        }
    }
}

extension Markup {
    /// A notice, made in place.
    package static func notice(_ kind: Notice.Kind, _ text: Markup) -> Markup { Notice(kind, text).markup }
}
