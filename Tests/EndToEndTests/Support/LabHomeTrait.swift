import Testing

/// Gives the tests of a suite one home, made before the first and gone after the last.
struct LabHomeTrait: SuiteTrait, TestScoping {
    @TaskLocal static var current: LabHome?
    let users: [String]
    let prepare: @Sendable (LabHome) async throws -> Void

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withLabHome(users: users) { home in
            try await prepare(home)
            try await LabHomeTrait.$current.withValue(home) { try await function() }
        }
    }
}

extension Trait where Self == LabHomeTrait {
    /// One home for the suite.
    static func labHome(
        users: [String] = ["alice"], _ prepare: @escaping @Sendable (LabHome) async throws -> Void
    ) -> LabHomeTrait {
        LabHomeTrait(users: users, prepare: prepare)
    }
}
