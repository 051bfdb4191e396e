package import Basics

/// The format of hand-off scripts as a JSON Schema (draft 2020-12), for editors that complete and check as one types.
///
/// It knows no names of a script: that an actor is there and has the role is the reader's to say.
package enum ScriptSchema {
    package static var json: JSONValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A hand-off script",
            "type": "object", "additionalProperties": false, "required": ["script", "actors", "steps"],
            "properties": [
                "script": ["type": "string", "description": "what it shows, in a sentence"],
                "tags": ["type": "array", "items": ["type": "string"]],
                "seed": ["type": "integer", "minimum": 0],
                "actors": [
                    "type": "object", "propertyNames": ["pattern": "^[a-z][a-z0-9-]{0,30}$"],
                    "additionalProperties": ["anyOf": .array(actors)],
                ],
                "steps": ["type": "array", "items": ["$ref": "#/$defs/step"]],
            ],
            "$defs": ["step": step],
        ]
    }

    private static var actors: [JSONValue] {
        let roles: [ScriptFormat.Performer] = [.identityProvider, .client]
        return roles.map { mapping(ScriptFormat.actorValues[$0] ?? []) }
    }

    private static var step: JSONValue {
        var properties: [String: JSONValue] = [
            "crash": mapping(ScriptFormat.crashValues),
            "parallel": [
                "type": "array",
                "items": [
                    "anyOf": [["$ref": "#/$defs/step"], ["type": "array", "items": ["$ref": "#/$defs/step"]]]
                ],
            ],
        ]
        for note in ScriptFormat.stepNotes + [ScriptFormat.within] { properties[note.key] = value(note) }
        var patterns: [String: [JSONValue]] = [:]
        for verb in ScriptFormat.verbs {
            let shape = mapping(verb.values, isOptional: verb.values.allSatisfy { !$0.isRequired })
            if verb.performer == nil {
                properties[verb.name] = shape
            } else {
                patterns["^[a-z][a-z0-9-]*\\.\(verb.name)$", default: []].append(shape)
            }
        }
        for subject in ScriptFormat.subjects {
            patterns["^expect [a-z][a-z0-9-]*\\.\(subject.name)$", default: []].append(
                ["description": .string(subject.summary)])
        }
        return [
            "type": "object", "additionalProperties": false, "minProperties": 1,
            "properties": .object(properties),
            "patternProperties": .object(patterns.mapValues { ["anyOf": .array($0)] }),
        ]
    }

    private static func mapping(_ values: [ScriptFormat.Value], isOptional: Bool = false) -> JSONValue {
        [
            "type": isOptional ? ["object", "null"] : "object", "additionalProperties": false,
            "required": .array(values.filter(\.isRequired).map { .string($0.key) }),
            "properties": .object(Dictionary(uniqueKeysWithValues: values.map { ($0.key, value($0)) })),
        ]
    }

    private static func value(_ value: ScriptFormat.Value) -> JSONValue {
        var shape = kind(value.kind)
        shape["description"] = .string(value.summary)
        return .object(shape)
    }

    private static func kind(_ kind: ScriptFormat.ValueKind) -> [String: JSONValue] {
        switch kind {
        case .text, .actor, .user: ["type": "string"]
        case .texts: ["type": "array", "items": ["type": "string"]]
        case .truth: ["type": "boolean"]
        case .number: ["type": "integer", "minimum": 1]
        case .duration: ["type": "string", "pattern": "^[0-9]{1,12}(ms|s|m|h|d)$"]
        case .oneOf(let words): ["enum": .array(words.map(JSONValue.string))]
        case .someOf(let words): ["type": "array", "items": ["enum": .array(words.map(JSONValue.string))]]
        case .ends: ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]]
        }
    }
}
