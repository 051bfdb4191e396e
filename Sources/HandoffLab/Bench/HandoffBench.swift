import Basics
import IdentityClient
import LinuxPlatform
import Platform

/// Whole hand-offs: this process is the client, over the real bus and its own store; the identity provider app is
/// another process. Both are warm.
struct HandoffBench: Sendable {
    let home: String
    let isQuick: Bool

    /// The app that this process is registered as: its executable is this program, which the identity provider app
    /// checks.
    static let app = "org.countersign.bench"

    func run() async throws -> [BenchRow] {
        let home = try Home.open(at: home, isDefault: false)
        var request = SurroundingsRequest(variables: [:])
        request.dialogue = ScriptedDialogue(choices: ["idp"])
        let open = try await LinuxSurroundings.open(
            home, manifest: try home.manifest(of: Self.app), request)
        let client = try await HandoffClient(surroundings: open.surroundings)
        do {
            try await client.start()
            let options = LoginOptions(via: .identityProvider(nil), timeout: .seconds(10))
            for _ in 0..<(isQuick ? 1 : 20) { _ = try await client.login(options) }
            var latencies: [Duration] = []
            let start = ContinuousClock.now
            for _ in 0..<(isQuick ? 3 : 400) {
                let began = ContinuousClock.now
                _ = try await client.login(options)
                latencies.append(ContinuousClock.now - began)
            }
            let row = BenchRow("hand-off, client-initiated", latencies: latencies, within: ContinuousClock.now - start)
            await client.stop()
            await open.close()
            return [row]
        } catch {
            await client.stop()
            await open.close()
            throw error
        }
    }
}
