import Basics
import CommandLineInterface
import IdentityClient
import LinuxPlatform
import Platform

/// One run of the client: its home, its surroundings, its SDK.
struct ClientSession: Sendable {
    let open: OpenSurroundings
    let client: HandoffClient

    static let defaultApp = "org.countersign.client"

    /// The home of a call.
    static func home(_ call: Invocation) throws -> Home {
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        return try Home.open(at: place.path, isDefault: place.isDefault)
    }

    /// Opens the app of the call's home, runs `body`, and closes everything whatever happens.
    ///
    /// - Parameter watch: what notes each delivery.
    static func run(
        _ call: Invocation, watch: IdleWatch? = nil, _ body: @Sendable (ClientSession) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let home = try home(call)
        let manifest = try home.manifest(of: call.option("--app") ?? defaultApp)
        let open = try await LinuxSurroundings.open(
            home, manifest: manifest, try request(call))
        do {
            var surroundings = open.surroundings
            if let watch { surroundings.bus = watch.watching(surroundings.bus) }
            let client = try await HandoffClient(surroundings: surroundings)
            let handle = Self.commandLine("handle -", call)
            await client.setAnnouncement { call.output.talk($0.words(handle: handle)) }
            let status = try await body(ClientSession(open: open, client: client))
            await client.stop()
            await open.close()
            return status
        } catch {
            await open.close()
            throw shown(error)
        }
    }

    /// The error to show: the one below the SDK's wrapper, so that a cancellation by a signal keeps its exit code, with
    /// the flow that it ended.
    private static func shown(_ error: any Error) -> any Error {
        if let failure = error as? FlowFailure { return FlowFailure.named(shown(failure.underlying), failure.flow) }
        guard let error = error as? UserAccountManagerError else { return error }
        return FlowFailure.named(error.underlyingError, error.flow)
    }

    /// How the surroundings of a call are to be.
    static func request(_ call: Invocation) throws -> SurroundingsRequest {
        try SurroundingsRequest(
            SurroundingsOptions(
                bus: call.option("--bus"), prompt: call.option("--prompt"), noInput: call.asksNobody,
                keeper: PrivateBus.thisProgramAsKeeper), variables: call.environment)
    }

    /// A command of this program for the same app and home, to be typed elsewhere.
    private static func commandLine(_ command: String, _ call: Invocation) -> String {
        let options = ["--home", "--app"].compactMap { name in call.option(name).map { "\(name) \($0)" } }
        return (["countersign-client"] + options + [command]).joined(separator: " ")
    }

    /// Becomes the app on the bus, or works beside the process that already is.
    ///
    /// - Returns: whether this process owns the app's name.
    @discardableResult
    func join() async throws -> Bool {
        do {
            try await client.start()
            return true
        } catch ErrorCode.busNameTaken {
            return false
        }
    }

    /// The account that a call names, or the current one.
    func account(_ text: String?) async throws -> UserAccount {
        if let text { return try await client.accounts.find(text) }
        guard let current = try await client.accounts.current() else { throw Fault(.noCurrentAccount) }
        return current
    }
}

extension UserAccount {
    /// The account as `--json` prints it.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "issuer": .string(issuer), "subject": .string(subject), "username": .string(username),
        ]
        members["name"] = displayName.map(JSONValue.string)
        members["email"] = email.map(JSONValue.string)
        return .object(members)
    }
}

extension ManualOpening {
    /// What is said to the person.
    func words(handle: String) -> String {
        var lines: [String] = []
        if let address { lines += ["Open this address:", "  \(address)"] }
        if answerComesByHand {
            lines.append(
                address == nil
                    ? "Opened where the app's own opener leads. Paste the address that comes back into:"
                    : "If the browser is on another machine, paste the address at which it ends into:")
            lines += ["  \(handle)", "This login waits for \(max(1, patience.components.seconds)) s."]
        }
        return lines.joined(separator: "\n")
    }
}
