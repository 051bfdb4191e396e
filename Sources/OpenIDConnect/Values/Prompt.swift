package import Basics

/// Which questions the client wants asked, or none: `prompt` (OpenID Connect Core §3.1.2.1).
package struct Prompt: TextValue {
    /// One value of `prompt`.
    package enum Value: String, Sendable, CaseIterable {
        /// Ask nothing; refuse where a question would be needed.
        case none
        /// Ask for the login again.
        case login
        /// Ask for consent again.
        case consent
        /// Ask which account.
        case selectAccount = "select_account"
    }

    /// The values, none twice.
    package let values: Set<Value>

    /// Reads the wire form: values with one space between them.
    ///
    /// - Throws: `invalid-prompt` for an unknown value, for none at all, or for `none` beside another.
    package init(_ text: String) throws(Fault) {
        var values: Set<Value> = []
        for name in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let value = Value(rawValue: String(name)) else { throw Fault(.invalidPrompt) }
            values.insert(value)
        }
        try self.init(values)
    }

    /// Makes a prompt of values.
    ///
    /// - Throws: `invalid-prompt` for no value, or for `none` beside another.
    package init(_ values: Set<Value>) throws(Fault) {
        guard !values.isEmpty, !values.contains(.none) || values.count == 1 else { throw Fault(.invalidPrompt) }
        self.values = values
    }

    /// The wire form, in the order of the specification.
    package var text: String { Value.allCases.filter(values.contains).map(\.rawValue).joined(separator: " ") }

    /// Whether that value is asked for.
    package func contains(_ value: Value) -> Bool { values.contains(value) }
}
