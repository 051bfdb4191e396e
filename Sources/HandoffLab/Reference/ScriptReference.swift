import Basics

/// The format of hand-off scripts for people and for editors, made from the tables that the reader asks.
package enum ScriptReference {
    // MARK: - For people

    /// The tables of the guide.
    package static var markdown: String {
        let roles: [ScriptFormat.Performer] = [.identityProvider, .client]
        let actors = roles.flatMap { role in
            (ScriptFormat.actorValues[role] ?? []).filter { $0.key != "role" }.map { value in
                [role.rawValue, code(value.key), words(value.kind), value.summary]
            }
        }
        let verbs = ScriptFormat.verbs.map { verb in
            [code(name(of: verb)), verb.summary, verb.values.map { line($0) }.joined(separator: "<br>")]
        }
        let others = [
            [
                "`crash`", "kills a process in the next step",
                ScriptFormat.crashValues.map { line($0) }.joined(separator: "<br>"),
            ],
            ["`parallel`", "a list of branches that begin together: a step, or a list of steps", ""],
        ]
        let subjects = ScriptFormat.subjects.map { subject in
            [
                code("expect \(prefix(subject.performer))\(subject.name)"), subject.summary,
                code("\(subject.example)"),
            ]
        }
        return [
            "What an actor may say beside its role:", table(["Role", "Key", "Value", "Meaning"], actors),
            "What can be done:", table(["Step", "Meaning", "Values (**required**)"], verbs + others),
            "What can be expected; each step may have "
                + "`\(ScriptFormat.within.key)`, \(ScriptFormat.within.summary):",
            table(["Step", "Meaning", "For example"], subjects),
            "What is looked for after every script, whatever it expects:",
            table(["Invariant", "Meaning"], ScriptInvariants.names.map { [code($0.0), $0.1] }),
        ].joined(separator: "\n\n")
    }

    private static func line(_ value: ScriptFormat.Value) -> String {
        let key = value.isRequired ? "**\(code(value.key))**" : code(value.key)
        return "\(key) (\(words(value.kind))): \(value.summary)"
    }

    private static func words(_ kind: ScriptFormat.ValueKind) -> String {
        switch kind {
        case .text: "a text"
        case .texts: "a list of texts"
        case .truth: "true or false"
        case .number: "a number"
        case .duration: "a time: 500ms, 10s, 2m"
        case .actor(.client): "a client"
        case .actor: "an actor"
        case .user: "a user"
        case .oneOf(let words): words.count > 12 ? "one of \(words.count)" : words.joined(separator: ", ")
        case .someOf(let words): "a list of \(words.joined(separator: ", "))"
        case .ends: "any, done, interrupted, an error's code, or a list of them"
        }
    }

    private static func prefix(_ performer: ScriptFormat.Performer?) -> String {
        switch performer {
        case .client: "CLIENT."
        case .identityProvider: "IDP."
        case .anyActor: "ACTOR."
        case nil: ""
        }
    }

    private static func name(of verb: ScriptFormat.Verb) -> String { prefix(verb.performer) + verb.name }

    private static func code(_ text: String) -> String { "`\(text)`" }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }
}
