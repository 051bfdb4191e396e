import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

/// One home as the identity provider app sees it: its registries, its own keys, its provider.
struct Device: Sendable {
    let home: Home
    let records: SQLiteStore
    let environment: Environment
    let issuer: Issuer

    /// Opens the home of a call, makes it first where that is allowed, runs `body`, and closes it.
    static func run(
        _ call: Invocation, settings: HomeSettings = HomeSettings(),
        _ body: @Sendable (Device) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        let environment = Environment.live(executor: nil)
        let home = try await Home.openOrCreate(
            at: place.path, isDefault: place.isDefault, settings: settings, environment: environment,
            list: HomeList(variables: call.environment))
        let records = try home.openRecords()
        let device = Device(
            home: home, records: records, environment: environment, issuer: try Issuer(home.issuer))
        do {
            let status = try await body(device)
            await records.close()
            return status
        } catch {
            await records.close()
            throw error
        }
    }

    /// The registry and flows of the identity provider app.
    var brokerStore: ScopedRecordStore { ScopedRecordStore(records, owner: "broker") }
    /// The provider's registry and records.
    var providerStore: ScopedRecordStore { ScopedRecordStore(records, owner: "provider") }

    /// How the surroundings of a call are to be.
    func request(_ call: Invocation) throws -> SurroundingsRequest {
        try SurroundingsRequest(
            SurroundingsOptions(
                bus: call.option("--bus"), prompt: call.option("--prompt"),
                noInput: call.asksNobody, keeper: PrivateBus.thisProgramAsKeeper),
            variables: call.environment)
    }

    /// What every command needs to talk to the other apps.
    func surroundings(_ call: Invocation, loop: EventLoop? = nil) async throws -> OpenSurroundings {
        var request = try request(call)
        request.loop = loop
        return try await LinuxSurroundings.open(home, manifest: try await identityProvider().manifest, request)
    }

    /// Runs `body` with the broker of this home, and closes everything whatever happens.
    @discardableResult
    func withBroker(
        _ call: Invocation, _ body: @Sendable (HandoffBroker, OpenSurroundings) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let open = try await surroundings(call)
        do {
            let status = try await body(try await broker(open), open)
            await open.close()
            return status
        } catch {
            await open.close()
            throw error
        }
    }

    /// The broker over opened surroundings; its records are the home's, seen through its own eyes.
    func broker(
        _ open: OpenSurroundings, allowsClassic: Bool = false, watch: IdleWatch? = nil
    ) async throws -> HandoffBroker {
        var surroundings = open.surroundings
        if let watch { surroundings.bus = watch.watching(surroundings.bus) }
        surroundings.store = brokerStore
        return try await HandoffBroker(
            surroundings: surroundings, issuer: issuer, clientID: try ClientID(AppEnrolment.identityProviderID),
            allowsClassic: allowsClassic)
    }
}
