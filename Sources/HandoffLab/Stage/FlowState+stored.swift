import Basics
import Handoff
import IdentityBroker
import IdentityClient
import Platform

/// The flows that an app's store holds. Reading them also shows that the store is whole.
extension FlowState {
    /// Those of a client, from its own store.
    static func ofClient(in store: any RecordStore) throws -> [FlowState] {
        try store.read { try StoredFlow<ClientFlow>.table.list(in: $0) }.map { _, stored in
            FlowState(id: stored.flow.id.text, deadline: stored.flow.deadline, end: stored.flow.outcome?.end)
        }
    }

    /// Those of an identity provider app, from its own rows.
    static func ofBroker(in store: any RecordStore) throws -> [FlowState] {
        try store.read { try StoredFlow<BrokerFlow>.table.list(in: $0) }.map { _, stored in
            FlowState(id: stored.flow.id.text, deadline: stored.flow.deadline, end: stored.flow.outcome?.end)
        }
    }
}

/// The part of both roles' flow records that is no secret of theirs.
private struct StoredFlow<Flow: Codable & Sendable>: Codable, Sendable {
    static var table: Table<StoredFlow> { Table("flow") }
    var flow: Flow
}

extension ClientFlow.Outcome {
    fileprivate var end: FlowState.End {
        switch self {
        case .loggedIn, .switched: .completed
        case .refused(let reason): .failed(code: reason.rawValue)
        case .failed(let code, _): .failed(code: code)
        case .cancelledByUser, .cancelledByPeer: .failed(code: ErrorCode.cancelled.name)
        case .timedOut: .failed(code: ErrorCode.deadlinePassed.name)
        case .superseded: .failed(code: ErrorCode.loginSuperseded.name)
        }
    }
}

extension BrokerFlow.Outcome {
    fileprivate var end: FlowState.End {
        switch self {
        case .acknowledged(.loggedIn), .acknowledged(.switched): .completed
        case .acknowledged(.failed): .failed(code: ErrorCode.clientFailed.name)
        case .refusedByClient(let reason), .refused(let reason): .failed(code: reason.rawValue)
        case .undeliverable: .failed(code: ErrorCode.peerNotRunning.name)
        case .cancelledByUser, .cancelledByPeer: .failed(code: ErrorCode.cancelled.name)
        case .timedOut: .failed(code: ErrorCode.deadlinePassed.name)
        }
    }
}
