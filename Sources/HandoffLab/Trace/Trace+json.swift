package import Basics

extension Trace {
    /// The trace as a value for programs; times are milliseconds since `begun`.
    package var json: [String: JSONValue] {
        summary.merging(["steps": .array(steps.map(\.json))]) { own, _ in own }
    }

    /// What a listing has of a flow.
    package var summary: [String: JSONValue] {
        [
            "flow": .string(flow), "kind": .string(kind.rawValue), "begun": .string(begun.preciseText),
            "milliseconds": .number(duration.milliseconds), "outcome": .string(outcome),
            "apps": .array(apps.map(JSONValue.string)),
        ]
    }
}

extension TraceStep {
    var json: JSONValue {
        var members: [String: JSONValue] = ["at": .number(at.milliseconds), "from": .string(from)]
        members["to"] = to.map(JSONValue.string)
        switch event {
        case .command(let name):
            members["kind"] = "command"
            members["command"] = .string(name)
        case .request(let method, let path):
            members["kind"] = "request"
            members["method"] = .string(method)
            members["path"] = .string(path)
        case .decision(let text):
            members["kind"] = "decision"
            members["text"] = .string(text)
        }
        members.merge(verdict.json) { own, _ in own }
        if !fields.isEmpty { members["fields"] = .object(fields) }
        return .object(members)
    }
}

extension TraceStep.Verdict {
    fileprivate var json: [String: JSONValue] {
        switch self {
        case .taken(let transport): return ["verdict": "taken", "transport": .string(transport)]
        case .refused(let refusal):
            var members: [String: JSONValue] = [
                "verdict": "refused", "code": .string(refusal.code), "why": .string(refusal.text),
            ]
            members["rule"] = refusal.rule.map(JSONValue.string)
            members["detail"] = refusal.detail.map(JSONValue.string)
            return members
        case .status(let status): return ["verdict": "answered", "status": .integer(status)]
        case .undelivered(let code): return ["verdict": "undelivered", "code": .string(code)]
        case .unseen: return ["verdict": "unseen"]
        case .unknown: return ["verdict": "unknown"]
        case .none: return [:]
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(wholeMicroseconds) / 1_000 }
}
