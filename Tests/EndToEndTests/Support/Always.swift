/// Runs `body`, and `afterwards` whatever came of it.
func always(_ body: () async throws -> Void, afterwards: () async throws -> Void) async throws {
    do {
        try await body()
    } catch {
        try? await afterwards()
        throw error
    }
    try await afterwards()
}
