package import Basics
package import Platform

extension Question {
    /// The question as JSON, for prompt programs and for pages that are read by programs.
    ///
    ///     {"schemaVersion":1,"kind":"consent","title":"…","asker":{"name":"…","id":"…","keyFingerprint":"…",
    ///      "unverifiedName":"…"},"lines":["…"],"problem":"…","fields":[{"name":"…","label":"…","secret":false,
    ///      "value":"…"}],"choices":[{"id":"…","title":"…","subtitle":"…","disabledReason":"…"}],
    ///      "deadline":"2026-01-01T09:00:00.000Z"}
    ///
    /// What is absent in the question is absent here.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "schemaVersion": 1, "kind": .string(kind.rawValue), "title": .string(title),
            "lines": .array(lines.map { .string($0) }), "fields": .array(fields.map(\.json)),
            "choices": .array(choices.map(\.json)), "deadline": .string(deadline.description),
        ]
        members["asker"] = asker?.json
        members["problem"] = problem.map { .string($0) }
        return .object(members)
    }

    /// Reads an answer: `{"choice": ID, "fields": {NAME: TEXT}}`, or `{"cancel": true}`.
    ///
    /// - Throws: `Cancellation` by the user, or `prompt-answer-refused`.
    package func answer(from json: JSONValue) throws -> Answer {
        if json["cancel"]?.boolValue == true { throw Cancellation(by: .user) }
        guard let choice = json["choice"]?.stringValue else { throw Fault(.promptAnswerRefused) }
        var typed: [String: String] = [:]
        for (name, value) in json["fields"]?.objectValue ?? [:] {
            guard let text = value.stringValue else { throw Fault(.promptAnswerRefused) }
            typed[name] = text
        }
        return try checked(choice: choice, fields: typed)
    }
}

extension Question.Asker {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "id": .string(id), "keyFingerprint": .string(keyFingerprint),
        ]
        members["unverifiedName"] = unverifiedName.map { .string($0) }
        return .object(members)
    }
}

extension Question.Field {
    fileprivate var json: JSONValue {
        ["name": .string(name), "label": .string(label), "secret": .bool(isSecret), "value": .string(value)]
    }
}

extension Question.Choice {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["id": .string(id), "title": .string(title)]
        members["subtitle"] = subtitle.map { .string($0) }
        members["disabledReason"] = disabledReason.map { .string($0) }
        return .object(members)
    }
}
