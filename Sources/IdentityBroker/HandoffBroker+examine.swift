package import Basics
package import Handoff
import IdentityClient
package import OpenIDConnect
package import Platform

/// What the identity provider app would say to a verified command, without taking it.
extension HandoffBroker {
    /// Compares the request object of an `authrequest` with the registry.
    ///
    /// - Throws: what the registry has against it.
    package static func checkRequest(
        _ command: VerifiedCommand, of client: RegisteredClientApp, issuer: Issuer, now: Timestamp
    ) throws {
        guard case .authrequest(let request) = command.command else { return }
        do {
            try RequestCheck.verify(loginHost: request.loginHost, of: client, issuer: issuer)
            _ = try RequestCheck.verify(request.request, of: client, issuer: issuer, now: now)
        } catch {
            throw error.fault
        }
    }

    /// Asks the contract, and the flow that the command belongs to; the store stays as it is.
    ///
    /// - Throws: why the command would not be taken.
    package static func correlate(_ command: VerifiedCommand, in records: borrowing Snapshot) throws {
        let found = try BrokerFlowRecord.table.find(command.flow.text, in: records)?.flow
        guard try FlowContract.concerns(command, at: .identityProvider, in: found?.stage ?? .none), var flow = found
        else {
            return
        }
        _ = try flow.receive(.command(command))
    }
}
