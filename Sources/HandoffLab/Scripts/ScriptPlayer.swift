import Basics
import Platform

/// Plays a script on a stage.
package struct ScriptPlayer: Sendable {
    private let script: HandoffScript
    private let stage: any Stage

    /// How long a process may take to come to the boundary at which it is to die.
    private static let patience: Duration = .seconds(30)

    package init(_ script: HandoffScript, on stage: any Stage) {
        self.script = script
        self.stage = stage
    }

    /// Begins the stage, plays every step up to the first that fails, looks for what must never be, and ends the stage.
    ///
    /// - Throws: a fault of the stage itself, or the end of the task.
    package func play(seed: UInt64) async throws -> ScriptResult {
        do {
            try await stage.begin()
            let result = try await playSteps(seed)
            await stage.end()
            return result
        } catch {
            await stage.end()
            throw error
        }
    }

    private func playSteps(_ seed: UInt64) async throws -> ScriptResult {
        var result = ScriptResult(
            title: script.title, file: script.file, stage: stage.kind, seed: seed)
        // A death that waits for the next thing to do, and the step that asked for it.
        var armed: (death: Death, step: ScriptStep)?
        for step in script.steps where result.failure == nil {
            try Task.checkCancellation()
            result.steps += 1
            do {
                if case .crash(let death) = step.action {
                    try await stage.arm(death)
                    armed = (death, step)
                    continue
                }
                result.failure = try await play(step)
            } catch let fault as Fault {
                // What the stage cannot do for this script is no reason to play no other.
                result.failure = failure(of: step, "\(fault.code.name): \(fault.text)")
            }
            if case .expect = step.action { continue }
            if let (death, crash) = armed {
                armed = nil
                if try await !stage.disarm(within: Self.patience), result.failure == nil {
                    result.failure = failure(of: crash, "nobody came to \(death.boundary.rawValue)")
                }
            }
        }
        if let (_, crash) = armed {
            _ = try await stage.disarm(within: .zero)
            result.failure = result.failure ?? failure(of: crash, "nothing is done after it")
        }
        result.breaches = try await ScriptInvariants(stage).breaches()
        if !result.isGood { result.transcript = await stage.transcript() }
        return result
    }

    private func play(_ step: ScriptStep) async throws -> ScriptResult.Failure? {
        switch step.action {
        case .act(let act, let ends):
            return ends.objection(to: try await act(stage)).map { failure(of: step, $0) }
        case .expect(let check, let within):
            return try await wait(for: check, within: within).map { failure(of: step, $0) }
        case .parallel(let branches):
            let tasks = branches.map { steps in
                stage.environment.spawn(steps.first?.key ?? "") { try await playInOrder(steps) }
            }
            var failures: [(failure: ScriptResult.Failure, time: Timestamp)] = []
            for task in tasks {
                if let failed = try await task.value { failures.append(failed) }
            }
            // Where one branch waits for what another did not do, the other is the reason.
            return failures.min { $0.time < $1.time }?.failure
        case .crash:
            return nil
        }
    }

    /// Plays a branch up to its first step that fails, and says when that was.
    private func playInOrder(
        _ steps: [ScriptStep]
    ) async throws -> (failure: ScriptResult.Failure, time: Timestamp)? {
        for step in steps {
            if let failure = try await play(step) { return (failure, stage.environment.now()) }
        }
        return nil
    }

    /// Looks again until all is as it should be, or the time is over; then says what is otherwise.
    private func wait(for check: ScriptCheck, within: Duration) async throws -> String? {
        let end = stage.environment.now() + within
        while let difference = try await check(stage) {
            guard stage.environment.now() < end else { return difference }
            try await stage.environment.sleep(for: .milliseconds(50))
        }
        return nil
    }

    private func failure(of step: ScriptStep, _ reason: String) -> ScriptResult.Failure {
        ScriptResult.Failure(
            key: step.key, name: step.name, position: step.position, reason: reason, because: step.because)
    }
}
