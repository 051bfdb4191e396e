/// The fields of an `application/x-www-form-urlencoded` body or query, in their order
/// (RFC 6749 appendix B, WHATWG URL §5).
package struct FormFields: Sendable, Equatable {
    /// Name and value of each field, decoded.
    package private(set) var pairs: [(name: String, value: String)] = []

    package init() {}

    /// Makes fields to send.
    package init(_ pairs: [(String, String)]) { self.pairs = pairs.map { (name: $0.0, value: $0.1) } }

    /// Reads fields strictly: ASCII, whole percent triplets, UTF-8 underneath. A plus sign is a space. A repeated name
    /// is not refused here: `repeatedNames` has it, and who reads says what it means.
    ///
    /// - Throws: `Fault` with `invalid-form`; its detail never has the text.
    package init(parsing bytes: some Sequence<UInt8>, limit: Int = 256) throws(Fault) {
        for piece in Array(bytes).split(separator: UInt8(ascii: "&")) {
            guard pairs.count < limit else { throw Fault(.invalidForm, detail: "more than \(limit) fields") }
            let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try FormEncoding.decode(halves[0])
            pairs.append((name: name, value: halves.count > 1 ? try FormEncoding.decode(halves[1]) : ""))
        }
    }

    /// Reads fields from text, as `init(parsing:limit:)` does from bytes.
    package init(parsing text: String, limit: Int = 256) throws(Fault) {
        try self.init(parsing: Array(text.utf8), limit: limit)
    }

    /// Every value of that name. Names are compared by their bytes: Swift's own comparison takes U+212A for a K.
    package func values(_ name: String) -> [String] {
        pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The value of that name where there is exactly one.
    package func single(_ name: String) -> String? {
        let all = values(name)
        return all.count == 1 ? all[0] : nil
    }

    /// The names that stand more than once, in the order of their second appearance.
    package var repeatedNames: [String] {
        var counts: [[UInt8]: Int] = [:]
        return pairs.compactMap { pair in
            counts[Array(pair.name.utf8), default: 0] += 1
            return counts[Array(pair.name.utf8)] == 2 ? pair.name : nil
        }
    }

    /// Adds a field.
    package mutating func add(_ name: String, _ value: String) { pairs.append((name: name, value: value)) }

    /// The fields as they are sent.
    package var encoded: String {
        pairs.map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
    }

    package static func == (left: FormFields, right: FormFields) -> Bool {
        left.pairs.elementsEqual(right.pairs) { one, other in
            one.name.utf8.elementsEqual(other.name.utf8) && one.value.utf8.elementsEqual(other.value.utf8)
        }
    }
}
