import Basics

/// One thing that the doctor looked at.
package struct Finding: Sendable, Equatable {
    package enum Level: String, Sendable, CaseIterable, Comparable {
        /// As it should be.
        case ok
        /// Worth knowing.
        case note
        /// Works, and will not for ever, or not for everybody.
        case warning
        /// Does not work.
        case problem

        package static func < (left: Level, right: Level) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package let level: Level
    /// What was looked at, and what was found.
    package let what: String
    /// Why that is worth a line.
    package let why: String?
    /// What to do: a command where there is one.
    package let next: String?

    package init(_ level: Level, _ what: String, why: String? = nil, next: String? = nil) {
        self.level = level
        self.what = what
        self.why = why
        self.next = next
    }

    /// What an error says, as a finding.
    package init(_ level: Level, _ what: String, because error: any Error) {
        let fault = error as? any CodedError
        self.init(
            level, "\(what): \(fault?.text ?? "it cannot be looked at") [\(fault?.code.name ?? "internal")]",
            why: fault?.detail, next: fault?.nextStep)
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["level": .string(level.rawValue), "what": .string(what)]
        members["why"] = why.map(JSONValue.string)
        members["next"] = next.map(JSONValue.string)
        return .object(members)
    }
}
