package import Basics
import FoundationEssentials
import Handoff
import IdentityBroker
import Platform
import StrictYAML

extension HandoffScript {
    /// Reads a script: YAML, or JSON as the same model. A first line `#!/usr/bin/env -S countersign run` is a comment.
    ///
    /// - Throws: `invalid-yaml` with file, line and column for whatever the format does not have.
    package init(parsing bytes: some Sequence<UInt8>, file: String) throws(Fault) {
        let root = try YAMLNode(parsing: bytes, file: file)
        try root.expectKeys(["script", "tags", "seed", "actors", "steps"])
        let seed = try root.int(at: "seed") ?? 1
        guard let seed = UInt64(exactly: seed) else { throw root.refusal("the seed is not negative.") }
        let cast = try Cast(reading: root.required("actors"))
        let steps = try StepReader(cast: cast).steps(root.required("steps"))
        self.init(
            title: try root.requiredString(at: "script"), file: file, tags: try root.strings(at: "tags") ?? [],
            seed: seed, cast: cast, steps: steps)
    }
}

extension Cast {
    /// Reads who takes part: names with what they are.
    init(reading node: YAMLNode) throws(Fault) {
        var members: [Member] = []
        for pair in try node.asPairs() {
            guard pair.key.wholeMatch(of: /[a-z][a-z0-9-]{0,30}/) != nil else {
                throw pair.value.refusal("an actor's name is made of small letters, digits and hyphens.")
            }
            members.append(try Member(pair.key, reading: pair.value))
        }
        self.init(members)
        for device in devices {
            let count = self.members(on: device).count { !$0.isClient }
            guard count == 1 else {
                throw node.refusal("the device “\(device)” has \(count) actors with the role idp; it needs one.")
            }
        }
    }
}

extension Cast.Member {
    fileprivate init(_ name: String, reading node: YAMLNode) throws(Fault) {
        let roles: [ScriptFormat.Performer] = [.identityProvider, .client]
        let word = try node.required("role").asOne(of: roles.map(\.rawValue))
        let role = ScriptFormat.Performer(rawValue: word) ?? .client
        let values = ScriptValues(node, cast: Cast([]), actor: name)
        try values.check(ScriptFormat.actorValues[role] ?? [])
        self.init(
            name, on: try values.text(ifAny: "device") ?? Cast.firstDevice,
            role == .client
                ? .client(try AppEnrolment.Description(name, values))
                : .identityProvider(users: try values.texts(ifAny: "users") ?? []))
        guard users?.isEmpty != true else { throw node.refusal("somebody must be able to sign in.") }
    }
}

extension AppEnrolment.Description {
    fileprivate init(_ name: String, _ values: ScriptValues) throws(Fault) {
        do {
            try self.init(
                id: AppID(values.text(ifAny: "app") ?? "org.example.\(name)"), displayName: name.capitalized)
        } catch let fault where fault.code != .invalidYAML {
            throw (values.node["app"] ?? values.node).refusal(fault.text)
        }
        if let word = try values.text(ifAny: "consent"), let rule = AppRegistryEntry.ConsentRule(rawValue: word) {
            consent = rule
        }
        if let word = try values.text(ifAny: "concurrency"), let rule = AppManifest.Concurrency(rawValue: word) {
            concurrency = rule
        }
        if let word = try values.text(ifAny: "switch"), let rule = AppManifest.SwitchRule(rawValue: word) {
            switchRule = rule
        }
        permissions = try (values.texts(ifAny: "allow") ?? []).compactMap(AppRegistryEntry.Permission.init)
    }
}

/// Reads steps: each has one key that says what is done, and notes beside it.
private struct StepReader {
    let cast: Cast
    private let crash = "crash"
    private let parallel = "parallel"
    private let expect = "expect "

    init(cast: Cast) { self.cast = cast }

    func steps(_ node: YAMLNode) throws(Fault) -> [ScriptStep] {
        var steps: [ScriptStep] = []
        for element in try node.asList() { steps.append(try step(element)) }
        return steps
    }

    private func step(_ node: YAMLNode) throws(Fault) -> ScriptStep {
        let notes = (ScriptFormat.stepNotes + [ScriptFormat.within]).map(\.key)
        let deeds = try node.asPairs().filter { !notes.contains($0.key) }
        guard let deed = deeds.first, deeds.count == 1 else {
            throw node.refusal(
                deeds.isEmpty
                    ? "the step says nothing to do; write ACTOR.VERB, expect ACTOR.SUBJECT, crash or parallel."
                    : "the step says \(deeds.count) things to do (\(deeds.map(\.key).joined(separator: ", "))); "
                        + "each needs a step of its own, with a dash before it.")
        }
        if let within = node[ScriptFormat.within.key], !deed.key.hasPrefix(expect) {
            throw within.refusal("only what is expected has a time within which it must be so.")
        }
        return ScriptStep(
            key: deed.key, name: try node.string(at: "name"), because: try node.string(at: "because"),
            position: deed.keyPosition, action: try action(deed, in: node))
    }

    private func action(_ deed: YAMLNode.Pair, in step: YAMLNode) throws(Fault) -> ScriptAction {
        if deed.key == crash { return .crash(try death(deed.value)) }
        if deed.key == parallel { return .parallel(try together(deed.value)) }
        if deed.key.hasPrefix(expect) {
            let within = try step[ScriptFormat.within.key]?.asDuration() ?? .seconds(5)
            return .expect(try check(deed, String(deed.key.dropFirst(expect.count))), within: within)
        }
        let (actor, verb) = try verb(deed)
        let values = ScriptValues(deed.value, cast: cast, actor: actor)
        try values.check(verb.values)
        return .act(try verb.read(values), ends: verb.canFail ? try values.ends() : .done)
    }

    private func death(_ node: YAMLNode) throws(Fault) -> Death {
        let values = ScriptValues(node, cast: cast, actor: "")
        try values.check(ScriptFormat.crashValues)
        let name = try values.text("actor")
        let side: DeathPoint.Side = cast[name]?.isClient == true ? .client : .identityProvider
        let boundary = try node.required("at").asOne(of: side.boundaries.map(\.rawValue))
        return Death(
            of: name, at: Boundary(boundary), restartAfter: try values.duration("restart-after", else: .zero))
    }

    private func together(_ node: YAMLNode) throws(Fault) -> [[ScriptStep]] {
        var branches: [[ScriptStep]] = []
        for element in try node.asList() {
            if case .sequence = element.content {
                branches.append(try steps(element))
            } else {
                branches.append([try step(element)])
            }
        }
        for step in branches.joined() {
            switch step.action {
            case .act, .expect: continue
            case .crash, .parallel:
                throw Fault(
                    .invalidYAML,
                    "\(step.position): \(step.key) does not stand in a branch; crash stands before the whole step.")
            }
        }
        return branches
    }

    private func check(_ deed: YAMLNode.Pair, _ words: String) throws(Fault) -> ScriptCheck {
        let (actor, name) = try named(words, deed)
        let subjects = ScriptFormat.subjects.filter { subject in cast[actor].map(subject.performer.includes) ?? false }
        guard let subject = subjects.first(where: { $0.name == name }) else {
            throw unknown(name, "can be expected of \(actor)", among: subjects.map(\.name), deed)
        }
        return try subject.read(actor, ScriptValues(deed.value, cast: cast, actor: actor))
    }

    private func verb(_ deed: YAMLNode.Pair) throws(Fault) -> (String, ScriptFormat.Verb) {
        let free = ScriptFormat.verbs.filter { $0.performer == nil }
        if let verb = free.first(where: { $0.name == deed.key }) { return ("", verb) }
        guard deed.key.contains(".") else {
            throw unknown(
                deed.key, "is a step without an actor", among: free.map(\.name) + [crash, parallel, "expect"], deed)
        }
        let (actor, name) = try named(deed.key, deed)
        let verbs = ScriptFormat.verbs.filter { verb in
            guard let performer = verb.performer, let member = cast[actor] else { return false }
            return performer.includes(member)
        }
        guard let verb = verbs.first(where: { $0.name == name }) else {
            throw unknown(name, "is something that \(actor) does", among: verbs.map(\.name), deed)
        }
        return (actor, verb)
    }

    /// Splits `notes.login` into an actor of this script and what stands behind the dot.
    private func named(_ words: String, _ deed: YAMLNode.Pair) throws(Fault) -> (actor: String, name: String) {
        let parts = words.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw Fault(.invalidYAML, "\(deed.keyPosition): “\(deed.key)” is not ACTOR.WORD.")
        }
        guard cast[parts[0]] != nil else {
            throw unknown(parts[0], "is an actor of this script", among: cast.members.map(\.name), deed)
        }
        return (parts[0], parts[1])
    }

    private func unknown(_ name: String, _ what: String, among names: [String], _ deed: YAMLNode.Pair) -> Fault {
        let hint = NearestName.of(name, among: names).map { "did you mean “\($0)”?" }
        return Fault(
            .invalidYAML,
            "\(deed.keyPosition): no “\(name)” \(what); \(hint ?? "there are \(names.joined(separator: ", ")).")")
    }
}
