import Basics
import StrictYAML

/// The value of a step, read by the kinds that the format gives its keys; refusals name file, line and column.
struct ScriptValues: Sendable {
    let node: YAMLNode
    let cast: Cast
    /// Whom the step is about.
    let actor: String

    private static let nothing: YAMLNode.Content = .mapping([])

    /// - Parameter node: a mapping, or nothing.
    init(_ node: YAMLNode, cast: Cast, actor: String) {
        self.node = node.isNull ? YAMLNode(Self.nothing, at: node.position) : node
        self.cast = cast
        self.actor = actor
    }

    /// Refuses keys that the format does not have, misses those that it must, and values of the wrong kind.
    func check(_ format: [ScriptFormat.Value]) throws(Fault) {
        try node.expectKeys(format.map(\.key))
        for value in format {
            if value.isRequired { _ = try node.required(value.key) }
            if let found = node[value.key] { try check(found, value.kind) }
        }
    }

    private func check(_ found: YAMLNode, _ kind: ScriptFormat.ValueKind) throws(Fault) {
        switch kind {
        case .text: _ = try found.asString()
        case .texts: _ = try found.asStrings()
        case .truth: _ = try found.asBool()
        case .number: _ = try found.asInt()
        case .duration: _ = try found.asDuration()
        case .actor(let role): _ = try found.asOne(of: names(of: role))
        case .user: _ = try found.asOne(of: users)
        case .oneOf(let words): _ = try found.asOne(of: words)
        case .someOf(let words): for word in try found.asList() { _ = try word.asOne(of: words) }
        case .ends: _ = try ends()
        }
    }

    // MARK: - Values, once they are checked

    func text(_ key: String) throws(Fault) -> String { try node.requiredString(at: key) }
    func text(ifAny key: String) throws(Fault) -> String? { try node.string(at: key) }
    func texts(ifAny key: String) throws(Fault) -> [String]? { try node.strings(at: key) }
    func truth(_ key: String) throws(Fault) -> Bool { try node.bool(at: key) ?? false }
    func number(ifAny key: String) throws(Fault) -> Int? { try node.int(at: key) }

    func duration(_ key: String, else usual: Duration) throws(Fault) -> Duration {
        guard let found = node[key] else { return usual }
        return try found.asDuration()
    }

    /// How the act must end.
    func ends() throws(Fault) -> ExpectedEnd {
        guard let found = node["ends"] else { return .done }
        if case .scalar("any", _) = found.content { return .any }
        let words = [ExpectedEnd.doneWord, ExpectedEnd.interruptedWord] + ErrorCode.ofAllModules.map(\.name)
        guard case .sequence(let several) = found.content else { return .oneOf([try found.asOne(of: words)]) }
        var ends: [String] = []
        for one in several { ends.append(try one.asOne(of: words)) }
        return .oneOf(ends)
    }

    /// How often each word is to be found: `{ completed: 2, deadline-passed: 1 }`; a word that is missing, never.
    func counts(of words: [String]) throws(Fault) -> [String: Int] {
        try node.expectKeys(words)
        var counts: [String: Int] = [:]
        for pair in try node.asPairs() {
            let count = try pair.value.asInt()
            guard count >= 0 else { throw pair.value.refusal("a count is not negative.") }
            if count > 0 { counts[pair.key] = count }
        }
        return counts
    }

    // MARK: - Names

    func names(of role: ScriptFormat.Performer) -> [String] { cast.members.filter(role.includes).map(\.name) }

    /// The users who can sign in on the device of whom the step is about.
    var users: [String] { cast.identityProvider(of: actor)?.users ?? [] }
}

extension ScriptFormat.Performer {
    func includes(_ member: Cast.Member) -> Bool {
        switch self {
        case .client: member.isClient
        case .identityProvider: !member.isClient
        case .anyActor: true
        }
    }
}

extension YAMLNode {
    /// A time with its unit: `90s`, `2h`, `500ms`.
    func asDuration() throws(Fault) -> Duration {
        let text = try asString()
        guard let duration = Duration(text: text) else {
            throw refusal("“\(text)” is no time; write 90s, 2h, 5m or 500ms.")
        }
        return duration
    }
}
