import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `A logout of the device` {
    @Test func `revokes at the provider, and then reaches every app, with a receipt of each`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            _ = try await apps.broker.role.logIn(username: "bob", password: Secret("bob-secret"))
            let bob = try await apps.notes.role.login(.handOff(hint: "bob")).0
            let report = try await apps.logOut()
            #expect(report.isRevoked)
            #expect(report.lines == ["\(photos) revoked logged_out", "\(notes) revoked logged_out"])
            #expect(try await apps.photos.role.accounts.all().isEmpty)
            #expect(try await apps.notes.role.accounts.all() == [bob])
            #expect(try await apps.broker.role.accounts.all().map(\.username) == ["bob"])
            _ = try await apps.notes.role.accounts.validToken(for: bob)
            // bob's tokens at the identity provider app and at one client are all that is left.
            #expect(try world.count("provider.family") == 2)
            await apps.stop()
        }
    }

    @Test func `of the app alone leaves the other apps their logins`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            let report = try await apps.logOut(.app)
            #expect(report.isRevoked && report.apps.isEmpty)
            #expect(try await apps.broker.role.accounts.all().isEmpty)
            _ = try await apps.photos.role.accounts.validToken(for: try await apps.photos.role.accounts.all()[0])
            await apps.stop()
        }
    }

    @Test func `asks for an account at the next login, and gives none of before`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world, dialogue: Script.choosing(["allow", "sign-in"], "bob"))
            _ = try await apps.logOut()
            #expect(try await apps.notes.role.login(.handOff()).0.username == "bob")
            await apps.stop()
        }
    }

    @Test func `reaches an app that was stopped before its first token is used`() throws {
        for seed in UInt64(1)...8 {
            try simulate(seed: seed, try .twoApps()) { world in
                let apps = try await TwoApps(world)
                let account = try await apps.photos.role.accounts.all()[0]
                await apps.photos.stop()
                let report = try await apps.logOut()
                #expect(report.lines == ["\(photos) revoked absent", "\(notes) revoked logged_out"])
                let calls = Mutex<[String]>([])
                let tapped: LabWorld.Adjustment = { surroundings in
                    surroundings.http = TappedHTTP(inner: surroundings.http) { call, _ in
                        calls.withLock { $0.append(call.url) }
                    }
                }
                // Two short commands at once, neither of which is on the bus.
                let idle = [try await world.runIdle(photos, tapped), try await world.runIdle(photos, tapped)]
                let tokens = idle.map { process in
                    process.spawn("token") { try await $0.accounts.validToken(for: account) }
                }
                for token in tokens { #expect(await failure { try await token.value }?.code == .loggedOut) }
                // The login's own revocation is all that was said to the provider.
                #expect(calls.withLock { $0 }.allSatisfy { !$0.hasSuffix("/token") && !$0.hasSuffix("/userinfo") })
                let now = try await apps.broker.role.report(of: report.flow)
                #expect(now.lines == ["\(photos) revoked logged_out", "\(notes) revoked logged_out"])
                for process in idle { await process.stop() }
                await apps.stop()
            }
        }
    }

    @Test func `reaches an app that is there when the identity provider app comes back`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            await apps.photos.stop()
            _ = try await apps.logOut()
            await apps.broker.stop()
            let back = try await world.runClient(photos, dialogue: NoDialogue())
            let account = try await back.role.accounts.all()[0]
            // Nobody is there to tell it; the provider has ended the login all the same.
            try await world.environment.sleep(for: .seconds(16 * 60))
            #expect(await failure { try await back.role.accounts.validToken(for: account) }?.code == .sessionEnded)
            let next = try await world.runBroker(dialogue: NoDialogue())
            try await world.environment.sleep(for: .seconds(5))
            #expect(try await back.role.accounts.all().isEmpty)
            await back.stop()
            await next.stop()
            await apps.notes.stop()
        }
    }

    @Test func `everywhere brings each app the provider's own word, and ends no newer login`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world, dialogue: Script.allowing("alice"))
            let line = CutLine(world.network)
            await apps.photos.stop()
            let report = try await apps.logOut(.everywhere)
            #expect(report.lines == ["\(photos) revoked absent", "\(notes) revoked logged_out"])
            #expect(try world.count("provider.session") == 0)
            try await world.environment.sleep(for: .seconds(120))
            // The provider's keys cannot be had: it is told again.
            line.cut()
            let deaf = try await world.runClient(photos, dialogue: NoDialogue()) { $0.http = line }
            try await world.environment.sleep(for: .seconds(10))
            #expect(try await deaf.role.accounts.all().count == 1)
            #expect(try await apps.broker.role.report(of: report.flow).lines.first == "\(photos) revoked waiting")
            await deaf.stop()
            let back = try await world.runClient(photos, dialogue: NoDialogue())
            let account = try await back.role.login(.handOff()).0
            await apps.broker.role.resumeLogouts()
            try await world.environment.sleep(for: .seconds(10))
            #expect(try await apps.broker.role.report(of: report.flow).lines.first == "\(photos) revoked logged_out")
            _ = try await back.role.accounts.validToken(for: account)
            #expect(try await back.role.accounts.current() == account)
            await back.stop()
            await apps.stop()
        }
    }

    @Test func `everywhere is refused by a provider that ends sessions nowhere but here, and the device's is not`()
        throws
    {
        try simulate(try .twoApps()) { world in
            let line = NotedHTTP(world.network) { call, response in
                guard call.url.contains("/.well-known/"),
                    var members = (try? JSONValue(parsing: response.body))?.objectValue
                else { return response }
                members["logout_sessions_endpoint"] = nil
                var poorer = response
                poorer.body = JSONValue.object(members).serialized()
                return poorer
            }
            let apps = try await TwoApps(world, broker: { $0.http = line })
            let error = await failure { try await apps.logOut(.everywhere) }
            #expect(error?.code == .logoutEverywhereUnsupported)
            #expect(error?.nextStep.contains("--scope device") == true)
            // Nothing has happened, and no such logout waits.
            #expect(try await apps.broker.role.accounts.all().count == 1)
            #expect(try await apps.notes.role.accounts.all().count == 1)
            let report = try await apps.logOut(.device)
            #expect(report.lines == ["\(photos) revoked logged_out", "\(notes) revoked logged_out"])
            await apps.stop()
        }
    }

    @Test func `everywhere needs an account that is signed in, and the device's does not`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world, dialogue: Script.allowing("alice"))
            func forget() async throws {
                let store = AccountStore(sealer: RecordSealer(key: world.identityProvider.keys.atRest))
                let key = apps.alice.key
                try await world.identityProvider.store.write(.full) {
                    try store.replaceTokens(of: key, by: nil, in: $0)
                }
            }
            try await forget()
            let error = await failure { try await apps.logOut(.everywhere) }
            #expect(error?.code == .logoutNeedsSignIn)
            #expect(error?.nextStep.contains("countersign-idp login") == true)
            #expect(try await apps.notes.role.accounts.all().count == 1)
            _ = try await apps.broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            #expect(try await apps.logOut(.everywhere).isRevoked)
            #expect(try await apps.notes.role.accounts.all().isEmpty)

            _ = try await apps.notes.role.login(.handOff(hint: "alice"))
            try await forget()
            #expect(try await apps.logOut(.device).lines == ["\(notes) revoked logged_out"])
            await apps.stop()
        }
    }

    @Test func `everywhere ends something once for each word of the provider`() throws {
        try simulate(try .twoApps()) { world in
            // The clock hardly moves, so that a login after the provider's word has the same second in its ID token.
            let apps = try await TwoApps(world)
            await apps.notes.stop()
            let word = Promise<LogoutRequest>()
            let mute = try await world.endpoint(of: notes, role: .client) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    case .logout(let request)? = try? await endpoint.accept(url, from: delivery.sender)?.command.command
                else { return }
                word.fulfil(request)
            }
            let logout = apps.broker.spawn("logout") { [alice = apps.alice] in
                try await $0.logOut(alice, scope: .everywhere, patience: .zero)
            }
            let request = try await word.value()
            _ = try await logout.value
            await mute.stop()
            await apps.broker.kill()
            let client = try await world.runClient(dialogue: NoDialogue())
            for outcome in [LogoutAcknowledgement.Outcome.loggedOut, .notLoggedIn] {
                _ = try await world.app(idp).store.write(.full) {
                    try $0.removeFamily(RecordKind("logout-notice"), "open")
                }
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                _ = try await client.role.login(.handOff())
                await broker.stop()
                let sender = try await LogoutSender(world)
                #expect(try await sender.logOut(request) == .logoutack(.init(outcome)))
                #expect(try await client.role.accounts.all().isEmpty == (outcome == .loggedOut))
                await sender.stop()
            }
            await client.stop()
            await apps.photos.stop()
        }
    }

    @Test func `changes nothing while the provider cannot be reached, unless it is forced`() throws {
        try simulate(try .twoApps()) { world in
            let line = CutLine(world.network)
            let apps = try await TwoApps(world, broker: { $0.http = line })
            line.cut()
            #expect(await failure { try await apps.logOut() }?.code == .httpUnreachable)
            #expect(try await apps.broker.role.accounts.current() == apps.alice)
            #expect(try await apps.notes.role.accounts.all().count == 1)
            let report = try await apps.logOut(force: true)
            #expect(!report.isRevoked)
            // Each app has revoked its own tokens.
            #expect(report.lines == ["\(photos) revoked logged_out", "\(notes) revoked logged_out"])
            #expect(try world.count("provider.session") == 1)
            line.mend()
            await apps.broker.role.resumeLogouts()
            #expect(try await apps.broker.role.report(of: report.flow).isRevoked)
            #expect(try world.count("provider.session") == 0)
            #expect(try world.count("provider.family") == 0)
            await apps.stop()
        }
    }

    @Test(arguments: Boundary.brokerLogout)
    func `is carried through when the identity provider app dies over it`(boundary: Boundary) throws {
        for seed in UInt64(1)...3 {
            try simulate(seed: seed, try .twoApps()) { world in
                let deathbed = Deathbed(boundary)
                let apps = try await TwoApps(world, broker: { $0.boundary = deathbed.hook })
                let logout = apps.broker.spawn("logout") { [alice = apps.alice] in
                    try await $0.logOut(alice, scope: .device)
                }
                try await deathbed.reached.value()
                await apps.broker.kill()
                _ = await failure { try await logout.value }
                let next = try await world.runBroker(dialogue: NoDialogue())
                try await world.environment.sleep(for: .seconds(30))
                for app in [apps.notes, apps.photos] { #expect(try await app.role.accounts.all().isEmpty) }
                #expect(try await next.role.accounts.all().isEmpty)
                #expect(try world.count("provider.session") == 0)
                #expect(try world.count("provider.family") == 0)
                let open = try world.app(idp).store.read { try $0.list(RecordKind("logout-notice"), family: "open") }
                #expect(open.isEmpty)
                await apps.notes.stop()
                await apps.photos.stop()
                await next.stop()
            }
        }
    }

    @Test func `takes a receipt of the app that was told alone, and once`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            await apps.photos.stop()
            let answers = Promise<VerifiedCommand>()
            let mute = try await world.endpoint(of: photos, role: .client) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender),
                    incoming.command.name == .logout
                else { return }
                answers.fulfil(incoming.command)
            }
            let logout = apps.broker.spawn("logout") { [alice = apps.alice] in
                try await $0.logOut(alice, scope: .device, patience: .seconds(5))
            }
            let told = try await answers.value()
            let report = try await logout.value
            #expect(report.lines == ["\(photos) revoked told", "\(notes) revoked logged_out"])
            func say(_ outcome: LogoutAcknowledgement.Outcome, _ irt: CommandID) async throws {
                try await mute.role.send(
                    .logoutack(.init(outcome)), to: try world.peer(idp), flow: told.flow, inReplyTo: irt)
                try await world.environment.sleep(for: .seconds(4))
            }
            try await say(.loggedOut, CommandID(randomBytes: world.environment.randomBytes(16)))
            #expect(world.refusals(of: idp) == ["command-uncorrelated"])
            try await say(.notLoggedIn, told.id)
            try await say(.loggedOut, told.id)
            #expect(world.refusals(of: idp) == ["command-uncorrelated"])
            #expect(
                try await apps.broker.role.report(of: report.flow).lines.first == "\(photos) revoked not_logged_in")
            await mute.stop()
            await apps.stop()
        }
    }

    @Test func `ends the session, so that a code on its way is worth nothing`() throws {
        try simulate(try .twoApps()) { world in
            let deathbed = Deathbed(.brokerAnswerStored)
            let apps = try await TwoApps(world)
            let alice = apps.alice
            await apps.notes.stop()
            await apps.broker.stop()
            // The next process has a code for the client, and does not come to send it.
            let broker = try await world.runBroker(dialogue: Script.choosing(["allow"])) { $0.boundary = deathbed.hook }
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.accounts.logout(alice, force: true)
            let login = client.spawn("login") { try await $0.login(.handOff(hint: "alice")) }
            try await deathbed.reached.value()
            await broker.kill()
            let next = try await world.runIdle(broker: ())
            _ = try await next.role.logOut(alice, scope: .device, patience: .seconds(1))
            let serving = try await world.runBroker(dialogue: NoDialogue())
            #expect(await failure { try await login.value } != nil)
            #expect(try await client.role.accounts.all().isEmpty)
            await serving.stop()
            await next.stop()
            await client.stop()
            await apps.photos.stop()
        }
    }

    @Test(.rule("T20")) func `ten times after ten logins leaves nothing behind`() throws {
        try simulate(try .twoApps()) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            for _ in 0..<10 {
                let account = try await client.role.login(.handOff()).0
                let own = try await broker.role.accounts.all()[0]
                let report = try await broker.role.logOut(own, scope: .device)
                #expect(report.lines == ["\(notes) revoked logged_out"])
                #expect(await failure { try await client.role.accounts.validToken(for: account) }?.code == .loggedOut)
            }
            #expect(try world.count("provider.session") == 0)
            #expect(try world.count("provider.family") == 0)
            await client.stop()
            await broker.stop()
        }
    }
}

extension LabWorld {
    /// A process of the identity provider app that has not joined the bus.
    fileprivate func runIdle(broker: Void) async throws -> LabProcess<HandoffBroker> {
        let (issuer, clientID) = (issuer, identityProvider.id)
        return try await run(identityProvider, NoDialogue()) { surroundings in
            try await HandoffBroker(surroundings: surroundings, issuer: issuer, clientID: try .init(clientID))
        }
    }
}
