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
        return try await Device.run(call, settings: settings) { device in
            try await device.enrolFirstClient()
            try device.requireSomebody(call)
            let loops = try call.number("--loops", in: 1...64) ?? max(1, Machine.cores)
            let server = try await ProviderServer.start(device, loops: loops, variables: call.environment)
            do {
                let status = try await device.serve(call, server)
                await server.stop(grace: .zero)
                return status
            } catch {
                await server.stop(grace: .zero)
                throw error
            }
        }
    }
}

extension Device {
    /// Joins the bus and serves until a stop signal, then drains.
    fileprivate func serve(_ call: Invocation, _ server: ProviderServer) async throws -> ExitStatus {
        let open = try await surroundings(call)
        do {
            try await ensureUser(call, open.surroundings.dialogue)
            let broker = try await broker(open, allowsClassic: call.flag("--allow-classic"))
            try await broker.start()
            tidy(server.provider, broker)
            announce(call, open)
            let gone = await end(of: open.bus)
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
        return StopSignals.last == .interrupted ? .interrupted : .terminated
    }

    /// Waits for a stop signal; what is returned is why the bus went before one came.
    private func end(of bus: HomeCommandBus) async -> (any Error)? {
        do {
            try await bus.ended()
            return Fault(.busUnavailable, "The bus has gone.")
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
