import Basics

/// Fails the check unless `work` is refused with that code.
func requireRefusal(
    _ code: ErrorCode, _ rule: @autoclosure () -> String, _ work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch let fault as Fault {
        guard fault.code == code else {
            throw ConformanceFailure("\(rule()): refused with \(fault.code), expected \(code)")
        }
        return
    }
    throw ConformanceFailure("\(rule()): not refused")
}
