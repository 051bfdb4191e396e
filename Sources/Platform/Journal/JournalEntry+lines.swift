package import Basics

extension JournalEntry {
    /// The entry as the JSON value that one line of `log/APP.jsonl` holds.
    package func jsonLine(app: String, time: Timestamp) -> JSONValue {
        var members: [String: JSONValue] = [
            "time": .string(time.description), "app": .string(app), "kind": .string(kind.rawValue),
            "message": .string(message),
        ]
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
