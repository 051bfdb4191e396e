import Basics

/// The one place where an error becomes text and an exit code.
package struct ErrorRenderer: Sendable {
    /// The status for a cancellation by the caller: what the signal was.
    private let interruption: ExitStatus

    /// Makes a renderer; `interruption` is the status for a cancellation that no person chose.
    package init(interruption: ExitStatus = .interrupted) { self.interruption = interruption }

    /// Says an error: `error[CODE] what: why`, then `next:`, on standard error; with `--json` also as one object on
    /// standard output. An error that ended a flow names it.
    ///
    /// With `-v` the detail follows, which is free of secrets by `CodedError`'s promise.
    ///
    /// - Returns: the status to exit with.
    package func render(_ error: any Error, to output: Output) -> ExitStatus {
        let coded = codedError(for: error)
        output.insist("\(output.styled("error[\(coded.code.name)]", .bad, on: .standardError)) \(coded.text)")
        if !coded.nextStep.isEmpty { output.insist("next: \(coded.nextStep)") }
        if let detail = coded.detail { output.detail("detail: \(detail)") }
        let flow = (error as? FlowFailure)?.flow
        if let flow { output.insist("flow: \(flow)") }
        if output.isJSON {
            var members: [String: JSONValue] = [
                "code": .string(coded.code.name), "text": .string(coded.text), "nextStep": .string(coded.nextStep),
            ]
            members["flow"] = flow.map(JSONValue.string)
            output.json(["error": .object(members)])
        }
        return status(of: coded)
    }

    /// The status that an error ends the program with.
    package func status(of error: any Error) -> ExitStatus {
        let coded = codedError(for: error)
        if let cancellation = coded as? Cancellation, cancellation.origin == .caller { return interruption }
        return ExitStatus(coded.code.kind)
    }

    private func codedError(for error: any Error) -> any CodedError {
        if let failure = error as? FlowFailure { return codedError(for: failure.underlying) }
        if let coded = error as? any CodedError { return coded }
        if error is CancellationError { return Cancellation(by: .caller) }
        // The description of a foreign error may hold anything, so only its type is told.
        return Fault(.internalFault, detail: "an error of type \(type(of: error))", underlying: error)
    }
}
