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
            Option("--allow-classic", "hear classic clients too, whose requests are unsigned: for experiments"),
            Option("--loops", "N", values: .number, "how many event loops serve; one for each core by default"),
        ]
    ) { call in
        let settings = HomeSettings(
            publicURL: call.option("--public-url"), listen: call.option("--listen"), tls: call.flag("--tls"))
        let loops = try call.number("--loops", in: 1...64) ?? max(1, Machine.cores)
        return try await Device.run(call, settings: settings) { device in
            try await device.serve(call, loops: loops, allowsClassic: call.flag("--allow-classic"))
            return StopSignals.last == .interrupted ? .interrupted : .terminated
        }
    }
}

extension Device {
    /// Serves the provider and is the identity provider app, until a stop signal or until `watch` finds nothing to do.
    func serve(
        _ call: Invocation, loops: Int, allowsClassic: Bool = false, watch: IdleWatch? = nil
    ) async throws {
        try await enrolFirstClient()
        try requireSomebody(call)
        let server = try await startServer(call, loops: loops, watch: watch)
        do {
            try await serve(call, server, allowsClassic: allowsClassic, watch)
            await server.stop(grace: .zero)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    /// Starts the provider's server; a process of this app that the bus has started leaves for it.
    func startServer(_ call: Invocation, loops: Int, watch: IdleWatch? = nil) async throws -> ProviderServer {
        do {
            return try await ProviderServer.start(self, loops: loops, variables: call.environment, watch: watch)
        } catch let taken as Fault where taken.code == .portTaken && watch == nil {
            let open = try await surroundings(call)
            let hasLeft: Bool
            do {
                hasLeft = try await ActivatedApp.makeWay(
                    of: AppEnrolment.identityProviderID, on: open.bus, environment)
                await open.close()
            } catch {
                await open.close()
                throw taken
            }
            guard hasLeft else { throw taken }
            return try await ProviderServer.start(self, loops: loops, variables: call.environment)
        }
    }

    /// Joins the bus and serves until the end, then drains.
    private func serve(
        _ call: Invocation, _ server: ProviderServer, allowsClassic: Bool, _ watch: IdleWatch?
    ) async throws {
        let open = try await surroundings(call)
        do {
            try await ensureUser(call, open.surroundings.dialogue)
            let broker = try await broker(open, allowsClassic: allowsClassic, watch: watch)
            if let watch {
                try await ActivatedApp.register(AppEnrolment.identityProviderID, on: open.bus, watch)
            }
            try await broker.start()
            tidy(server.provider, broker)
            if watch == nil { announce(call, open) }
            let gone = await end(of: open.bus, broker, watch)
            // The drain, shielded from the cancellation that began it.
            let drain = Task.detached {
                await broker.stop()
                await server.stop(grace: .seconds(5))
            }
            await drain.value
            await environment.stop()
            if let gone { throw gone }
        } catch {
            await open.close()
            throw error
        }
        await open.close()
    }

    /// Waits for a stop signal, or until nothing is left to do; what is returned is why the bus went before.
    private func end(of bus: HomeCommandBus, _ broker: HandoffBroker, _ watch: IdleWatch?) async -> (any Error)? {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await bus.ended()
                    throw Fault(.busUnavailable, "The bus has gone.")
                }
                if let watch {
                    group.addTask {
                        try await watch.untilIdle { (try? await broker.hasFlowsUnderWay()) ?? false }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            return nil
        } catch {
            return error is CancellationError ? nil : error
        }
    }

    /// Ends what is overdue, each minute.
    private func tidy(_ provider: AuthorizationServer, _ broker: HandoffBroker) {
        environment.spawn("tidy") { [environment] in
            while true {
                try await environment.sleep(for: .seconds(60))
                // A store that is busy now is tidied the next time.
                try? await provider.purgeExpired()
                try? await broker.endOverdueFlows()
                await broker.resumeLogouts()
            }
        }
    }

    private func announce(_ call: Invocation, _ open: OpenSurroundings) {
        var members: [String: JSONValue] = [
            "issuer": .string(issuer.text), "port": .integer(Int64(home.port)), "bus": .string(open.bus.address),
        ]
        members["socket"] = (try? home.providerSocket(variables: call.environment)).map(JSONValue.string)
        if call.flag("--allow-classic") {
            members["classic"] = true
            call.output.talk(
                call.output.styled(
                    "Classic clients are heard: what they ask is unsigned, and nothing proves who asks.", .bad,
                    on: .standardError))
        }
        let option = call.option("--home").map { " --home \($0)" } ?? ""
        call.output.result(
            members,
            text: """
                Serving \(issuer.text), and on the bus as \(AppEnrolment.identityProviderID).
                In another terminal: countersign-client\(option) login
                """)
    }
}
