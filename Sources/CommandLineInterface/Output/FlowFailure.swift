/// An error with the flow that it ended, so that whoever reads it finds its trace.
package struct FlowFailure: Error, Sendable {
    package let underlying: any Error
    package let flow: String

    /// The error with its flow; the error itself where there is none, or it names one already.
    package static func named(_ error: any Error, _ flow: String?) -> any Error {
        guard let flow, !(error is FlowFailure) else { return error }
        return FlowFailure(underlying: error, flow: flow)
    }

    /// Runs `body`, and names the flow in what it throws.
    package static func naming<Value>(
        _ flow: String?, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw named(error, flow)
        }
    }
}
