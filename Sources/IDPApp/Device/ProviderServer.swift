import Basics
import LinuxPlatform
import OpenIDProvider
import Platform

/// The home's provider as it is served over HTTP: its handler, its sockets, its loops.
struct ProviderServer: Sendable {
    let provider: AuthorizationServer
    private let server: HTTPServer
    private let loops: [EventLoop]

    /// Serves at the home's addresses. It needs no bus, so a login page is there before the apps are.
    ///
    /// - Parameters:
    ///   - loops: how many event loops serve.
    ///   - watch: what notes each request.
    /// - Throws: `port-taken`, with the program that holds it.
    static func start(
        _ device: Device, loops count: Int, variables: [String: String], watch: IdleWatch? = nil
    ) async throws -> ProviderServer {
        let home = device.home
        let keys = try await home.providerSigningKeys(device.environment)
        let provider = AuthorizationServer(
            configuration: ProviderConfiguration(issuer: device.issuer),
            keys: try ProviderKeys(es256: keys.es256, rs256: keys.rs256), store: device.providerStore,
            environment: device.environment,
            journal: try FileJournal(
                directory: home.layout.logs, app: "provider", now: device.environment.now),
            boundary: DeathSwitch.hook(variables: variables))
        let loops = try (1...count).map { try EventLoop.start(name: "http \($0)") }
        do {
            let server = try await HTTPServer.start(
                try await home.serverConfiguration(variables: variables, environment: device.environment),
                handler: watch?.watching(provider) ?? provider, loops: loops)
            return ProviderServer(provider: provider, server: server, loops: loops)
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
    }

    /// Lets open requests end within `grace`, and closes.
    func stop(grace: Duration) async {
        await server.stop(grace: grace)
        for loop in loops { loop.stop() }
    }
}
