import Basics
import Glibc
public import Platform

/// Makes an app's surroundings on this machine: the clock, its files in a home, the local bus, HTTP, and the person.
public enum LinuxSurroundings {
    /// The surroundings of an app that is enrolled in a home.
    ///
    /// They last until the process ends. `home` is a folder; `nil` means `COUNTERSIGN_HOME`, else the default one.
    ///
    /// - Throws: an error with a stable code: `home-missing` when there is no home, `app-missing` when the app is not
    ///   enrolled in it, `bus-mismatch` or `bus-unavailable` when it has no bus to join, and what its files throw.
    public static func make(
        home: String? = nil, app: String, options: SurroundingsOptions = SurroundingsOptions()
    ) async throws -> Surroundings {
        ProcessEnd.keepLibcrypto()
        let variables = LinuxChildProcesses.inheritedEnvironment()
        let (path, isDefault) = try Home.path(option: home, environment: variables)
        let home = try Home.open(at: path, isDefault: isDefault)
        let request = try SurroundingsRequest(options, variables: variables)
        return try await open(home, manifest: try home.manifest(of: app), request).surroundings
    }

    /// Opens the surroundings of an app; the caller closes them.
    ///
    /// - Throws: as `make`.
    package static func open(
        _ home: Home, manifest: AppManifest, _ request: SurroundingsRequest
    ) async throws -> OpenSurroundings {
        let opening = Opening()
        do {
            return try await open(home, manifest, request, opening)
        } catch {
            await opening.undo()
            // Nobody sees the standard error of what a bus started.
            let journal = try? FileJournal(
                directory: home.layout.logs, app: manifest.id, now: Environment.live(executor: nil).now)
            journal?.record(JournalEntry(.note, "could not start", code: (error as? any CodedError)?.code))
            throw error
        }
    }

    private static func open(
        _ home: Home, _ manifest: AppManifest, _ request: SurroundingsRequest, _ opening: Opening
    ) async throws -> OpenSurroundings {
        let layout = home.layout
        let id = manifest.id
        let loop = if let given = request.loop { given } else { try EventLoop.start(name: "app") }
        if request.loop == nil { opening.onFailure { loop.stop() } }
        let environment = Environment.live(executor: loop)
        let journal = try FileJournal(directory: layout.logs, app: id, now: environment.now)
        let store = try SQLiteStore(path: layout.records(of: id))
        opening.onFailure { await store.close() }
        let secrets = try await FileSecretStore.open(directory: layout.secrets(of: id), environment: environment)
        opening.onFailure { await secrets.close() }
        var groups: [String: HomeSecretGroup] = [:]
        for name in manifest.groups {
            groups[name] = try HomeSecretGroup(
                name, in: home, manifest: manifest, secrets: secrets, now: environment.now)
        }
        let http = try CurlHTTPClient(
            try home.clientConfiguration(variables: request.variables, authorityFile: request.authorityFile))
        opening.onFailure { http.stop() }
        let bus = try await joinBus(home, request, loop)
        let listener = LinuxLoopbackListener(loops: [loop])
        let opener: any URLOpener =
            manifest.opener.isEmpty
            ? SystemOpener(variables: request.variables, environment: environment)
            : ManifestOpener(command: manifest.opener, environment: environment)
        let means = DialogueMeans(
            environment: environment, variables: request.variables, processes: LinuxChildProcesses(),
            listener: listener, opener: opener, tell: request.tell)
        var surroundings = Surroundings(
            environment: environment, manifest: manifest, store: store, secrets: secrets, groups: groups, bus: bus,
            http: http, listener: listener, opener: opener,
            dialogue: request.dialogue ?? means.dialogue(request.prompt), journal: journal,
            boundary: DeathSwitch.hook(variables: request.variables), homeIssuer: home.issuer,
            ownUserID: geteuid())
        surroundings.readManifest = { try home.manifest(of: id) }
        return OpenSurroundings(
            surroundings, home: home, loop: loop, ownsLoop: request.loop == nil, bus: bus, store: store,
            secrets: secrets, http: http, groups: groups)
    }

    /// Joins the bus of a home and nothing else, for as long as `body` runs.
    ///
    /// - Throws: `bus-mismatch` or `bus-unavailable`, and what `body` throws.
    package static func withBus<Result: Sendable>(
        of home: Home, _ request: SurroundingsRequest, _ body: (HomeCommandBus) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop.start(name: "bus")
        defer { loop.stop() }
        let bus = try await joinBus(home, request, loop)
        do {
            let result = try await body(bus)
            await bus.stop()
            return result
        } catch {
            await bus.stop()
            throw error
        }
    }

    private static func joinBus(
        _ home: Home, _ request: SurroundingsRequest, _ loop: EventLoop
    ) async throws -> HomeCommandBus {
        let membership = try await HomeBus.join(
            home: home.path, isDefaultHome: home.isDefault, selection: request.bus, variables: request.variables,
            keeper: request.keeper)
        do {
            let connection = try await DBusCommandBus.connect(address: membership.address, loop: loop)
            return HomeCommandBus(connection: connection, membership: membership)
        } catch {
            await membership.leave()
            throw error
        }
    }
}

/// What has been opened so far, to be closed again when the rest cannot be.
private final class Opening {
    private var steps: [() async -> Void] = []

    func onFailure(_ step: @escaping () async -> Void) { steps.append(step) }

    func undo() async {
        for step in steps.reversed() { await step() }
    }
}
