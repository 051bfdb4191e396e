package import Basics

extension JournalEntry {
    /// The entry as the JSON value that one line of `log/APP.jsonl` holds.
    ///
    /// - Parameters:
    ///   - process: the id of the process that wrote it.
    ///   - sequence: its place among all that this process wrote.
    package func jsonLine(app: String, time: Timestamp, process: Int32?, sequence: UInt64) -> JSONValue {
        var members: [String: JSONValue] = [
            "time": .string(time.preciseText), "app": .string(app), "kind": .string(kind.rawValue),
            "message": .string(message), "seq": .integer(Int64(clamping: sequence)),
        ]
        members["pid"] = process.map { .integer(Int64($0)) }
        members["flow"] = flow.map { .string($0) }
        members["code"] = code.map { .string($0) }
        if !fields.isEmpty { members["fields"] = .object(fields) }
        return .object(members)
    }

    /// The entry as one line of a transcript, without its time.
    package var transcriptLine: String {
        var parts = [kind.rawValue, message]
        if let code { parts.append("[\(code)]") }
        if let flow { parts.append("flow=\(flow)") }
        if !fields.isEmpty { parts.append(JSONValue.object(fields).serializedText) }
        // One entry is one line, whatever its message has in it.
        return parts.joined(separator: " ").split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
