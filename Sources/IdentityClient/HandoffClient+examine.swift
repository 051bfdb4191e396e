package import Basics
package import Handoff
package import Platform

/// What a client would say to a verified command, without taking it.
extension HandoffClient {
    /// Asks the contract, and the flow that the command belongs to; the store stays as it is.
    ///
    /// - Throws: why the command would not be taken, or why its flow would end in a failure.
    package static func correlate(_ command: VerifiedCommand, in records: borrowing Snapshot) throws {
        let found = try FlowRecord.table.find(command.flow.text, in: records)?.flow
        guard try FlowContract.concerns(command, at: .client, in: found?.stage ?? .none), var flow = found else {
            return
        }
        _ = try flow.receive(.command(command))
        if case .failed(let code, let text) = flow.outcome { throw Fault(stored: code, text: text) }
    }
}

extension FlowContract {
    /// Whether a command concerns a flow in that stage; `ping` and `pong` concern none.
    ///
    /// - Throws: as `admit`.
    package static func concerns(_ command: VerifiedCommand, at role: AppRole, in stage: FlowStage) throws(Fault)
        -> Bool
    {
        switch command.name {
        case .ping: return false
        case .pong: throw Fault(.commandUncorrelated, detail: "no ping waits for it")
        default:
            try admit(command, at: role, in: stage)
            return true
        }
    }
}
