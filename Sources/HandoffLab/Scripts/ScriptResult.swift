package import StrictYAML

/// How one script was played, once.
package struct ScriptResult: Sendable {
    /// What kept a step from being as the script has it.
    package struct Failure: Sendable, Equatable {
        package var key: String
        package var name: String?
        package var position: YAMLNode.Position
        package var reason: String
        package var because: String?

        package init(
            key: String, name: String? = nil, position: YAMLNode.Position, reason: String, because: String? = nil
        ) {
            self.key = key
            self.name = name
            self.position = position
            self.reason = reason
            self.because = because
        }
    }

    package var title: String
    package var file: String
    package var stage: StageKind
    /// What decided the order of events; it means nothing to real processes.
    package var seed: UInt64
    /// How many steps were played.
    package var steps: Int
    /// The first step that failed; those behind it were not played.
    package var failure: Failure?
    /// What must never be, whatever a script expects.
    package var breaches: [String] = []
    /// What the apps wrote, where something is wrong.
    package var transcript: String = ""
    /// How long it took by the wall clock.
    package var took: Duration = .zero

    package init(title: String, file: String, stage: StageKind, seed: UInt64, steps: Int = 0, took: Duration = .zero) {
        self.title = title
        self.file = file
        self.stage = stage
        self.seed = seed
        self.steps = steps
        self.took = took
    }

    package var isGood: Bool { failure == nil && breaches.isEmpty }

    /// The command that plays it again.
    package var again: String {
        "countersign run \(file) " + (stage == .real ? "--real" : "--seed \(seed)")
    }
}

extension ScriptResult.Failure {
    /// In one line.
    package var words: String { "\(position): \(name.map { "\($0): " } ?? "")\(key): \(reason)" }
}
