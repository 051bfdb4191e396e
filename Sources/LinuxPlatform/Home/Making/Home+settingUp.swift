package import Platform

extension Home {
    /// Runs `body` while no other process makes or changes what the home consists of: its apps and their keys.
    ///
    /// Not to be nested: the second call would wait for the first.
    ///
    /// - Throws: `home-busy` when another process keeps the place for a long time; what `body` throws.
    package func whileSettingUp<Result>(
        _ environment: Environment, _ body: () async throws -> Result
    ) async throws -> Result {
        let lock = try await Home.setupLock(layout, environment)
        defer { lock.unlock() }
        return try await body()
    }
}
