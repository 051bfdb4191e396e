import Basics
import Handoff
import IdentityBroker
import IdentityClient
import Platform

extension LabWorld {
    /// Runs one login in a simulation of its own and returns what all apps wrote, in the order in which it happened.
    ///
    /// Equal seeds give equal texts, in every process.
    ///
    /// - Throws: how the login failed, `simulation-escaped` or `simulation-stalled`.
    package static func transcript(flow: HandoffKind, seed: UInt64) throws -> String {
        try journal(flow: flow, seed: seed).transcript
    }

    /// Runs one login in a simulation of its own and returns the journal of all its apps.
    ///
    /// - Throws: as `transcript`.
    package static func journal(flow: HandoffKind, seed: UInt64) throws -> WorldJournal {
        try Simulation(seed: seed, stepLimit: 1_000_000).run { environment in
            let world = try await LabWorld(try .usual(), environment: environment)
            try await world.logIn(flow, as: "alice")
            await world.stop()
            return world.journal
        }
    }

    /// One login of the usual client, both apps started and stopped for it.
    private func logIn(_ kind: HandoffKind, as name: String) async throws {
        let person = ScriptedDialogue(
            choices: ["allow", "sign-in", "switch"],
            fields: ["username": Secret(name), "password": Secret("\(name)-secret")])
        let broker = try await runBroker(dialogue: person)
        let client = try await runClient(dialogue: person)
        switch kind {
        case .clientInitiated: _ = try await client.role.login(LoginOptions(via: .identityProvider(nil)))
        case .idpInitiated, .keychain:
            try await broker.role.invite(
                AppEnrolment.firstClientID, as: name, password: "\(name)-secret", usesKeychain: kind == .keychain)
        }
        await client.stop()
        await broker.stop()
    }
}

extension HandoffBroker {
    /// Signs a user in and hands the login to a client.
    fileprivate func invite(_ app: String, as name: String, password: String, usesKeychain: Bool) async throws {
        let account = try await logIn(username: name, password: Secret(password))
        let invitation = try await prepareInvitation(
            to: try AppID(app), account: account, startURL: nil, usesKeychain: usesKeychain,
            timeout: LoginOptions.withPeople)
        _ = try await send(invitation)
    }
}
