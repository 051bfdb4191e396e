/// Who asks, as the registry knows it: the name, the id and the fingerprint of the key that signed.
package struct Asker: Sendable {
    package var registeredName: String
    package var identifier: String
    /// The short form of the key's thumbprint, in groups.
    package var keyFingerprint: String?

    package init(registeredName: String, identifier: String, keyFingerprint: String? = nil) {
        self.registeredName = registeredName
        self.identifier = identifier
        self.keyFingerprint = keyFingerprint
    }

    /// The block as markup.
    package var markup: Markup {
        // An app without a name of its own is called by its id, which need not be read twice.
        let id: Markup? = identifier == registeredName ? nil : Markup.foreign(identifier)
        let key: Markup? = keyFingerprint.map { "key <code>\($0)</code>" }
        let details: Markup? =
            switch (id, key) {
            case (let id?, let key?): "<small>\(id) · \(key)</small>"
            default: (id ?? key).map { "<small>\($0)</small>" }
            }
        return """
            <div class="asker">\(Markup.mark(registeredName))<strong>\(Markup.foreign(registeredName))</strong>\
            \(details)</div>
            """
    }
}

extension Markup {
    /// Who asks, made in place.
    package static func asker(registeredName: String, identifier: String, keyFingerprint: String? = nil) -> Markup {
        Asker(registeredName: registeredName, identifier: identifier, keyFingerprint: keyFingerprint).markup
    }

    /// A sign for a name: its first letter.
    ///
    /// It is decoration, so it is hidden from screen readers.
    static func mark(_ name: String) -> Markup {
        let initial = name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "•"
        return "<span class=\"mark\" aria-hidden=\"true\">\(initial)</span>"
    }
}
