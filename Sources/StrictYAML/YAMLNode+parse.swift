package import Basics

extension YAMLNode {
    /// Reads one YAML document, or one JSON text, into a tree.
    ///
    /// A file without content is one null node. Refused, with file, line and column: text that is not UTF-8, more than
    /// the limits, a second document, directives, anchors, aliases, tags, merge keys, a key that stands twice, and
    /// unquoted words that YAML 1.1 takes for truth values (`yes`, `no`, `on`, `off`, `y`, `n`).
    ///
    /// - Throws: `Fault` with code `invalid-yaml`.
    package init(parsing bytes: some Sequence<UInt8>, file: String, limits: Limits = Limits()) throws(Fault) {
        let bytes = Array(bytes)
        let start = Position(file: file, line: 1, column: 1)
        guard bytes.count <= limits.bytes else {
            throw Fault(.invalidYAML, "\(start): the file is larger than \(limits.bytes) bytes.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let line = bytes.prefix(YAMLNode.validPrefixLength(bytes)).count { $0 == 0x0A } + 1
            throw Fault(.invalidYAML, "\(file):\(line): the text is not UTF-8.")
        }
        let source = JSONTranslation.yaml(fromJSON: text, limits: limits).map { Array($0.utf8) } ?? bytes
        var reader = TreeReader(events: try YAMLEvents(source, file: file), limits: limits)
        self = try reader.readStream(empty: YAMLNode(.scalar("", quoted: false), at: start))
    }

    /// Reads a string, as `init(parsing:file:limits:)` does from bytes.
    package init(parsing text: String, file: String, limits: Limits = Limits()) throws(Fault) {
        try self.init(parsing: Array(text.utf8), file: file, limits: limits)
    }

    /// How many bytes stand before the first that is not UTF-8.
    private static func validPrefixLength(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { length += UTF8.width(scalar) }
        return length
    }
}

/// Builds the tree from events and keeps the rules that libyaml does not.
private struct TreeReader {
    let events: YAMLEvents
    let limits: YAMLNode.Limits
    var nodeCount = 0
    var depth = 0

    mutating func readStream(empty: YAMLNode) throws(Fault) -> YAMLNode {
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event {
            case .streamEnd: return root ?? empty
            case .boundary: continue
            case .documentStart(let hasDirectives):
                guard !hasDirectives else { throw refusal("directives (%YAML, %TAG) are not read here.") }
                guard root == nil else { throw refusal("a second document begins; one file holds one.") }
            default: root = try readNode(event)
            }
        }
    }

    private func refusal(_ why: String, at place: YAMLNode.Position? = nil) -> Fault {
        Fault(.invalidYAML, "\(place ?? events.position): \(why)")
    }

    private mutating func readNode(_ event: YAMLEvent) throws(Fault) -> YAMLNode {
        let place = events.position
        nodeCount += 1
        guard nodeCount <= limits.nodes else { throw refusal("the file holds more than \(limits.nodes) values.") }
        switch event {
        case .scalar(let text, let quoted):
            if !quoted { try refuseContested(text) }
            return YAMLNode(.scalar(text, quoted: quoted), at: place)
        case .sequenceStart:
            return YAMLNode(.sequence(try nested { (reader) throws(Fault) in try reader.readElements() }), at: place)
        case .mappingStart:
            return YAMLNode(.mapping(try nested { (reader) throws(Fault) in try reader.readPairs() }), at: place)
        case .refused(let what): throw refusal("\(what) stands here; write the value out instead.")
        case .documentStart, .end, .streamEnd, .boundary: throw refusal("a value is missing here.")
        }
    }

    private mutating func nested<Value>(
        _ read: (inout TreeReader) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.depth else { throw refusal("the nesting is deeper than \(limits.depth) levels.") }
        return try read(&self)
    }

    private mutating func readElements() throws(Fault) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .end = event { return elements }
            elements.append(try readNode(event))
        }
    }

    private mutating func readPairs() throws(Fault) -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try events.next()
            if case .end = event { return pairs }
            let place = events.position
            let key = try readKey(event)
            if let line = lines.updateValue(place.line, forKey: key) {
                throw refusal("the key “\(key)” stands twice; the first is in line \(line).", at: place)
            }
            pairs.append(YAMLNode.Pair(key: key, keyPosition: place, value: try readNode(try events.next())))
        }
    }

    private mutating func readKey(_ event: YAMLEvent) throws(Fault) -> String {
        switch event {
        case .scalar(let text, let quoted):
            guard !quoted else { return text }
            try refuseContested(text)
            guard text != "<<" else { throw refusal("a merge key (<<) stands here; write the values out instead.") }
            guard !PlainScalar.isNull(text), !PlainScalar.isTruthValue(text) else {
                throw refusal("“\(text)” as a key is not text to every reader; put it in quotation marks.")
            }
            return text
        case .refused(let what): throw refusal("\(what) stands here; write the value out instead.")
        default: throw refusal("a key has to be a text.")
        }
    }

    private func refuseContested(_ text: String) throws(Fault) {
        guard PlainScalar.isContested(text) else { return }
        throw refusal(
            "“\(text)” is a truth value to some readers and text to others; write true or false, or put it in quotation "
                + "marks.")
    }
}
