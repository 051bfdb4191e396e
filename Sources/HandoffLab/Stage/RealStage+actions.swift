import Basics
import FoundationEssentials
import IdentityBroker
import IdentityClient
import LinuxPlatform
import Platform

extension RealStage {
    package func seat(_ person: Person, at name: String) async throws {
        try self.person(at: name).seat(person, password: password(of: person.user))
    }

    package func hold(_ name: String) async throws { try person(at: name).hold() }

    package func release(_ name: String) async throws { try person(at: name).release() }

    package func questions(at name: String) async throws -> [String] { try person(at: name).asked }

    package func signIn(_ user: String, at name: String) async throws -> ActionEnd {
        try requirePresent(name)
        return try await runIdentityProvider(
            name, ["login", "--user", user, "--password-file", "-"], input: password(of: user)
        ).actionEnd
    }

    package func logIn(_ order: LoginOrder) async throws -> ActionEnd {
        try requirePresent(order.client)
        return try await runMortalClient(
            order.client,
            ["login", "--via", "idp", "--timeout", order.timeout.commandLine]
                + (order.hint.map { ["--user-hint", $0] } ?? []))
    }

    package func invite(_ order: InvitationOrder) async throws -> ActionEnd {
        try requirePresent(order.identityProvider)
        try await startDoomedClient()
        return try await runMortalIdentityProvider(
            order.identityProvider,
            ["open", try member(order.client).appID, "--user", order.user, "--timeout", order.timeout.commandLine]
                + (order.usesKeychain ? ["--keychain"] : []) + (order.startURL.map { ["--start-url", $0] } ?? [])
        ).actionEnd
    }

    package func logOut(_ order: LogoutOrder) async throws -> ActionEnd {
        try requirePresent(order.name)
        let words = [
            "logout", "--account", order.user, "--scope", order.scope.rawValue, "--timeout", order.timeout.commandLine,
        ]
        if try member(order.name).isClient { return try await runMortalClient(order.name, words) }
        try await startDoomedClient()
        logoutRows[order.name] = nil
        let end = try await runMortalIdentityProvider(order.name, words)
        logoutRows[order.name] = end.json["apps"]?.arrayValue?.map { row in
            LogoutRow(
                app: cast.name(ofApp: row["app"]?.stringValue ?? "", besides: order.name),
                revoked: row["revoked"]?.boolValue ?? false, acknowledged: row["acknowledged"]?.boolValue ?? false)
        }
        return end.actionEnd
    }

    package func useAccount(_ user: String, of name: String) async throws -> ActionEnd {
        try requirePresent(name)
        return try await runClient(name, ["userinfo", "--account", user]).actionEnd
    }

    // MARK: - What can be seen

    package func accounts(of name: String) async throws -> [HeldAccount] {
        let end = try await runClient(name, ["accounts"])
        guard end.actionEnd.isDone else { throw Fault(.stageFailed, "accounts: \(end.errors)") }
        return (end.json["accounts"]?.arrayValue ?? []).map { account in
            HeldAccount(
                username: account["username"]?.stringValue ?? "", issuer: account["issuer"]?.stringValue ?? "",
                subject: account["subject"]?.stringValue ?? "", isCurrent: account["current"]?.boolValue ?? false)
        }
    }

    package func flows(of name: String) async throws -> [FlowState] {
        let member = try member(name)
        let layout = try home(of: name)
        if member.isClient {
            return try await reading(layout.records(of: member.appID)) { try FlowState.ofClient(in: $0) }
        }
        return try await reading(layout.records) {
            try FlowState.ofBroker(in: ScopedRecordStore($0, owner: "broker"))
        }
    }

    private func reading<Result: Sendable>(
        _ path: String, _ body: (any RecordStore) throws -> Result
    ) async throws -> Result {
        let store = try SQLiteStore(path: path)
        do {
            let result = try body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }

    package func refusals(by name: String) async throws -> [String] {
        try log(of: member(name).appID, in: home(of: name)).filter { $0["kind"]?.stringValue == "refused" }
            .map { $0["code"]?.stringValue ?? "?" }
    }

    package func lastLogoutReport(of name: String) async throws -> [LogoutRow] {
        _ = try member(name)
        return logoutRows[name] ?? []
    }

    package func ledger(of device: String) async throws -> TokenLedger {
        let layout = try home(ofDevice: device)
        let entries = try log(of: LabWorld.providerName, in: layout).map { line in
            (line["kind"]?.stringValue ?? "", line["message"]?.stringValue ?? "", line["code"]?.stringValue)
        }
        return try await reading(layout.records) {
            try TokenLedger(entries: entries, store: ScopedRecordStore($0, owner: "provider"))
        }
    }

    /// The lines of an app's log.
    func log(of app: String, in layout: HomeLayout) throws -> [JSONValue] {
        let bytes = FileManager.default.contents(atPath: "\(layout.logs)/\(app).jsonl") ?? Data()
        // The last line may be half written.
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONValue(parsing: $0) }
    }

    package func transcript() async -> String {
        var lines: [String] = []
        for member in cast.members {
            guard let layout = try? home(of: member.name), let entries = try? log(of: member.appID, in: layout) else {
                continue
            }
            lines += entries.map(\.serializedText)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Duration {
    /// As `--timeout` reads it.
    fileprivate var commandLine: String { "\(wholeMicroseconds / 1_000)ms" }
}
