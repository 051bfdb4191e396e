package import Basics

/// Asked or granted rights: `scope` (RFC 6749 §3.3).
///
/// The order of names means nothing, and none stands twice.
package struct ScopeSet: TextValue {
    /// The names, sorted.
    package let names: [String]

    /// Reads the wire form: names with one space between them; no name at all is the empty set.
    ///
    /// - Throws: `invalid-scope` for other separators or for characters that RFC 6749 §3.3 does not allow.
    package init(_ text: String) throws(Fault) {
        try self.init(text.isEmpty ? [] : text.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }

    /// Makes a set of names.
    ///
    /// - Throws: `invalid-scope` as above, and for more than 64 names.
    package init(_ names: [String]) throws(Fault) {
        guard names.count <= 64, names.allSatisfy(ScopeSet.isName) else { throw Fault(.invalidScope) }
        self.init(checked: Set(names))
    }

    private init(checked names: Set<String>) { self.names = names.sorted() }

    /// The wire form.
    package var text: String { names.joined(separator: " ") }

    /// Whether nothing is asked for.
    package var isEmpty: Bool { names.isEmpty }

    /// Whether that name is in the set.
    package func contains(_ name: String) -> Bool { names.contains(name) }

    /// Whether every name is in the other set too.
    package func isSubset(of other: ScopeSet) -> Bool { Set(names).isSubset(of: other.names) }

    /// The names that both sets have.
    package func intersection(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(checked: Set(names).intersection(other.names))
    }

    private static func isName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }
}
