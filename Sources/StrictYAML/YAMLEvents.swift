import Basics
import CYAML

/// One step of libyaml's parser, as a Swift value.
enum YAMLEvent {
    case documentStart(hasDirectives: Bool)
    case scalar(String, quoted: Bool)
    case sequenceStart
    case mappingStart
    case end
    case streamEnd
    /// An anchor, an alias or a tag, by the name that a message gives it.
    case refused(String)
    /// The beginning of the stream or the end of a document: nothing to act on.
    case boundary
}

/// Owns one libyaml parser and the bytes that it reads.
///
/// The parser keeps pointers to itself and to its input, so both live at fixed addresses until the end.
final class YAMLEvents {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let file: String
    private(set) var position: YAMLNode.Position

    init(_ bytes: [UInt8], file: String) throws(Fault) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw Fault(.internalFault, detail: "libyaml made no parser")
        }
        self.parser = parser
        self.file = file
        position = YAMLNode.Position(file: file, line: 1, column: 1)
        input = .allocate(capacity: max(bytes.count, 1))
        _ = input.initialize(from: bytes)
        // Said, so that libyaml does not guess at UTF-16; the bytes are known to be UTF-8.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event; `position` is where it begins.
    func next() throws(Fault) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxFault() }
        defer { yaml_event_delete(&event) }
        position = place(event.start_mark)
        return translate(event)
    }

    private func translate(_ event: yaml_event_t) -> YAMLEvent {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT:
            let start = event.data.document_start
            return .documentStart(
                hasDirectives: start.version_directive != nil || start.tag_directives.start != start.tag_directives.end)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            if let refusal = refusal(anchor: scalar.anchor, tag: scalar.tag) { return refusal }
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(String(decoding: bytes, as: UTF8.self), quoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            let sequence = event.data.sequence_start
            return refusal(anchor: sequence.anchor, tag: sequence.tag) ?? .sequenceStart
        case YAML_MAPPING_START_EVENT:
            let mapping = event.data.mapping_start
            return refusal(anchor: mapping.anchor, tag: mapping.tag) ?? .mappingStart
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .refused("an alias (*name)")
        default: return .boundary
        }
    }

    private func refusal(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> YAMLEvent? {
        if anchor != nil { return .refused("an anchor (&name)") }
        if tag != nil { return .refused("a tag (!name)") }
        return nil
    }

    private func place(_ mark: yaml_mark_t) -> YAMLNode.Position {
        YAMLNode.Position(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func syntaxFault() -> Fault {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "not YAML"
        var place = place(parser.pointee.problem_mark)
        if parser.pointee.error == YAML_READER_ERROR {
            // The reader counts bytes, not lines.
            let before = input.prefix(Int(parser.pointee.problem_offset))
            let column = before.reversed().prefix { $0 != 0x0A }.count
            place = YAMLNode.Position(
                file: file, line: before.count { $0 == 0x0A } + 1, column: column + 1)
        }
        return Fault(.invalidYAML, "\(place): \(problem).")
    }
}
