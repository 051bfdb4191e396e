import Basics
import CommandLineInterface
import IdentityBroker
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

extension CommandLineInterface.Command {
    /// Serves the provider over HTTP and is the identity provider app on the bus.
    static let serve = CommandLineInterface.Command(
        "serve", "serve the provider, and hand logins to the apps of this home",
        details: """
            An empty home is made ready first: authority, keys, issuer, the first client app, and the first user.
            """,
        examples: [
            .init("countersign-idp serve", "in one terminal; log in from another: countersign-client login"),
            .init("countersign-idp serve --json --no-input", "print one line when ready, for scripts"),
        ],
        options: [
            Option("--listen", "ADDR", "the address to listen at, for a new home"),
            Option("--public-url", "URL", "the issuer, for a new home; anything but loopback must be https"),
            Option("--tls", "serve https with a certificate of the home's authority, for a new home"),
            Option("--loops", "N", values: .number, "how many event loops serve; one for each core by default"),
        ]
    ) { call in
        let settings = HomeSettings(
            publicURL: call.option("--public-url"), listen: call.option("--listen"), tls: call.flag("--tls"))
        return try await Device.run(call, settings: settings) { device in
            try await device.enrolFirstClient()
            let open = try await device.surroundings(call)
            do {
                try await device.ensureUser(call, open.surroundings.dialogue)
                let status = try await device.serve(call, open)
                await open.close()
                return status
            } catch {
                await open.close()
                throw error
            }
        }
    }
}

extension Device {
    /// Serves until a stop signal, then drains.
    fileprivate func serve(_ call: Invocation, _ open: OpenSurroundings) async throws -> ExitStatus {
        let keys = try await home.providerSigningKeys(environment)
        let provider = AuthorizationServer(
            configuration: ProviderConfiguration(issuer: issuer),
            keys: try ProviderKeys(es256: keys.es256, rs256: keys.rs256), store: providerStore,
            environment: environment, journal: open.surroundings.journal)
        let count = try call.number("--loops", in: 1...64) ?? max(1, Machine.cores)
        let loops = try (1...count).map { try EventLoop.start(name: "http \($0)") }
        defer { for loop in loops { loop.stop() } }
        let server = try await HTTPServer.start(
            try await home.serverConfiguration(variables: call.environment, environment: environment),
            handler: provider,
            loops: loops)
        let broker = try await broker(open)
        do {
            try await broker.start()
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        environment.spawn("purge") {
            while true {
                try await environment.sleep(for: .seconds(60))
                // A store that is busy now is tidied the next time.
                try? await provider.purgeExpired()
                try? await broker.endOverdueFlows()
            }
        }
        announce(call, open)
        var gone: (any Error)?
        do {
            try await open.bus.ended()
            gone = Fault(.busUnavailable, "The bus has gone.")
        } catch {
            gone = error is CancellationError ? nil : error
        }
        // The drain, shielded from the cancellation that began it.
        let drain = Task.detached {
            await broker.stop()
            await server.stop(grace: .seconds(5))
        }
        await drain.value
        await environment.stop()
        if let gone { throw gone }
        return StopSignals.last == .interrupted ? .interrupted : .terminated
    }

    private func announce(_ call: Invocation, _ open: OpenSurroundings) {
        var members: [String: JSONValue] = [
            "issuer": .string(issuer.text), "port": .integer(Int64(home.port)), "bus": .string(open.bus.address),
        ]
        members["socket"] = (try? home.providerSocket(variables: call.environment)).map(JSONValue.string)
        let option = call.option("--home").map { " --home \($0)" } ?? ""
        call.output.result(
            members,
            text: """
                Serving \(issuer.text), and on the bus as \(AppEnrolment.identityProviderID).
                In another terminal: countersign-client\(option) login
                """)
    }
}
