import Basics

extension Trace {
    /// The trace as a Mermaid sequence diagram, for documents and merge requests.
    package var mermaid: String {
        let names = ShortNames(apps)
        // A stranger has a lane too, where one was refused.
        let lanes = apps + (steps.contains { $0.from == "?" } ? ["?"] : [])
        func lane(_ app: String) -> String { "p\((lanes.firstIndex(of: app) ?? 0) + 1)" }
        var lines = ["sequenceDiagram"]
        for app in lanes {
            let name = app == "?" ? "unknown sender" : names[app]
            lines.append("    participant \(lane(app)) as \(Mermaid.escaped(name))")
        }
        var answers: [String] = []
        for step in steps {
            let time = step.at.shown
            // What the provider writes of a request stands before its answer.
            if step.from != "provider" {
                lines += answers
                answers = []
            }
            switch (step.event, step.to) {
            case (.decision(let text), _):
                lines.append("    Note over \(lane(step.from)): \(Mermaid.escaped(text))")
            case (.command(let name), let to?):
                let arrow = step.verdict.arrived ? "->>" : "-x"
                let words = "\(name) (\(time), \(step.verdict.words.0))"
                lines.append("    \(lane(step.from))\(arrow)\(lane(to)): \(Mermaid.escaped(words))")
            case (.request(let method, let path), let to?):
                lines.append("    \(lane(step.from))->>+\(lane(to)): \(Mermaid.escaped("\(method) \(path) (\(time))"))")
                answers.append("    \(lane(to))-->>-\(lane(step.from)): \(Mermaid.escaped(step.verdict.words.0))")
            case (_, nil): break
            }
        }
        return (lines + answers).joined(separator: "\n")
    }
}

extension TraceStep.Verdict {
    fileprivate var arrived: Bool { if case .taken = self { true } else { self == .unknown } }
}

/// Text inside a Mermaid diagram.
enum Mermaid {
    /// The text with everything that Mermaid would read as its own, or as markup, written as a character code.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            let isQuiet = " .,:/()[]-_→?=+'".unicodeScalars.contains(scalar)
            return isPlain || isQuiet ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}
