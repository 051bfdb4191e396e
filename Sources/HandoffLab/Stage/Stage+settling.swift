import Basics
import Platform

extension Stage {
    /// Waits until no app has a flow under way.
    ///
    /// An app ends a flow whose deadline passed when it looks at it next, at the latest when it starts: so those that
    /// are overdue are started again. One that was stopped is not waited for.
    ///
    /// - Returns: the flows that are under way past their deadline all the same, in words; there must be none.
    package func settle() async throws -> [String] {
        while true {
            let pending = try await pendingFlows()
            guard !pending.isEmpty else { return [] }
            let now = environment.now()
            guard pending.contains(where: { $0.flow.deadline + .seconds(1) >= now }) else { break }
            try await environment.sleep(for: .milliseconds(50))
        }
        let late = try await pendingFlows().map(\.name)
        for member in cast.members where late.contains(member.name) { try await restart(member.name) }
        return try await pendingFlows().map { name, flow in
            "\(name) has the flow \(flow.id) under way past its deadline"
        }
    }

    private func pendingFlows() async throws -> [(name: String, flow: FlowState)] {
        var pending: [(String, FlowState)] = []
        for member in cast.members where try await !isAway(member.name) {
            for flow in try await flows(of: member.name) where flow.end == nil { pending.append((member.name, flow)) }
        }
        return pending
    }

    /// The member of that name.
    ///
    /// - Throws: `unknown-actor`.
    func member(_ name: String) throws -> Cast.Member { try cast.member(name) }
}
