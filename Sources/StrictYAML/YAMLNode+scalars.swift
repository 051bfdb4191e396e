package import Basics

/// What a single node is read as. Each throws `Fault` with code `invalid-yaml` and the node's place.
extension YAMLNode {
    /// The node's text.
    ///
    /// Unquoted numbers are text here (`port: 8443` keeps its digits). Unquoted `true`, `false` and `null` are not: a
    /// text that looks like one of them has to stand in quotation marks.
    package func asString() throws(Fault) -> String {
        guard case .scalar(let text, let quoted) = content else { throw refusal("a text is wanted here, not \(kind).") }
        guard !quoted else { return text }
        guard !PlainScalar.isNull(text) else { throw refusal("a value is missing here.") }
        guard !PlainScalar.isTruthValue(text) else {
            throw refusal("a text is wanted here, not \(kind); put it in quotation marks if you mean the word.")
        }
        return text
    }

    /// The node as a whole number, written without quotation marks, plus sign or leading zeros.
    package func asInt() throws(Fault) -> Int {
        guard case .scalar(let text, quoted: false) = content, PlainScalar.isInteger(text) else {
            throw refusal("a whole number is wanted here, not \(kind).")
        }
        guard let number = Int(text) else { throw refusal("the number is too large.") }
        return number
    }

    /// The node as a truth value: `true` or `false`, exactly so and without quotation marks.
    package func asBool() throws(Fault) -> Bool {
        switch content {
        case .scalar("true", quoted: false): return true
        case .scalar("false", quoted: false): return false
        default: throw refusal("true or false is wanted here, not \(kind).")
        }
    }

    /// The node as one of a closed list of words; a refusal names the nearest.
    package func asOne(of words: [String]) throws(Fault) -> String {
        let text = try asString()
        guard !words.contains(text) else { return text }
        let hint = NearestName.of(text, among: words).map { " Did you mean “\($0)”?" } ?? ""
        throw refusal("“\(text)” is none of \(words.shortList).\(hint)")
    }

    /// The elements of a sequence.
    package func asList() throws(Fault) -> [YAMLNode] {
        guard case .sequence(let elements) = content else { throw refusal("a list is wanted here, not \(kind).") }
        return elements
    }

    /// The elements of a sequence of texts.
    package func asStrings() throws(Fault) -> [String] {
        var texts: [String] = []
        for element in try asList() { texts.append(try element.asString()) }
        return texts
    }

    /// The pairs of a mapping, in the order of the file.
    package func asPairs() throws(Fault) -> [Pair] {
        guard case .mapping(let pairs) = content else { throw refusal("a mapping is wanted here, not \(kind).") }
        return pairs
    }

    /// What the node is, in words for a message.
    package var kind: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(_, quoted: true): "a text"
        case .scalar(let text, quoted: false):
            if PlainScalar.isNull(text) {
                "nothing"
            } else if PlainScalar.isTruthValue(text) {
                "a truth value"
            } else if PlainScalar.isInteger(text) || PlainScalar.isFraction(text) {
                "a number"
            } else {
                "a text"
            }
        }
    }
}

extension [String] {
    /// The words for a message, where there are so few that somebody reads them; else how many there are.
    var shortList: String {
        count <= 20 ? joined(separator: ", ") : "\(prefix(3).joined(separator: ", ")) and \(count - 3) more"
    }
}
