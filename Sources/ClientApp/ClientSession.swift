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

    /// Opens the app of the call's home, runs `body`, and closes everything whatever happens.
    static func run(
        _ call: Invocation, _ body: @Sendable (ClientSession) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        let home = try Home.open(at: place.path, isDefault: place.isDefault)
        let manifest = try home.manifest(of: call.option("--app") ?? defaultApp)
        let open = try await LinuxSurroundings.open(
            home, manifest: manifest,
            try SurroundingsRequest(options(call), variables: call.environment))
        do {
            let client = try await HandoffClient(surroundings: open.surroundings)
            await client.setAnnouncement { address in call.output.talk("Open this address:\n  \(address)") }
            let status = try await body(ClientSession(open: open, client: client))
            await client.stop()
            await open.close()
            return status
        } catch {
            await open.close()
            // The error below the SDK's wrapper, so that a cancellation by a signal keeps its exit code.
            throw (error as? UserAccountManagerError)?.underlyingError ?? error
        }
    }

    private static func options(_ call: Invocation) -> SurroundingsOptions {
        SurroundingsOptions(
            bus: call.option("--bus"), prompt: call.option("--prompt"),
            noInput: call.asksNobody, keeper: PrivateBus.thisProgramAsKeeper)
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
