import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import Testing

@Suite struct `A client that asks for a logout` {
    @Test func `of the device needs a permission in the registry`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            let error = await failure { try await apps.notes.role.logout(apps.alice, scope: .device) }
            #expect(error?.code == .logoutNotPermitted)
            #expect(world.refusals(of: idp) == ["logout-not-permitted"])
            #expect(try await apps.notes.role.accounts.all().count == 1)
            #expect(try await apps.photos.role.accounts.all().count == 1)
            await apps.stop()
        }
    }

    @Test(arguments: [LogoutScope.device, .everywhere])
    func `with the permission and the person's word gets it, and every app is told`(scope: LogoutScope) throws {
        try simulate(try .twoApps([.logoutDevice, .logoutEverywhere])) { world in
            let asked = NotedDialogue(Script.choosing(["allow", "log-out"]))
            let apps = try await TwoApps(world, dialogue: asked)
            let result = try await apps.notes.role.logout(apps.alice, scope: scope)
            #expect(result == LogoutResult(scope: scope, isRevoked: true))
            #expect(asked.kinds.last == .logoutConfirmation)
            #expect(asked.questions.last?.lines.contains("· \(photos)") == true)
            try await world.environment.sleep(for: .seconds(5))
            for app in [apps.notes, apps.photos] { #expect(try await app.role.accounts.all().isEmpty) }
            #expect(try await apps.broker.role.accounts.all().isEmpty)
            #expect(try world.count("provider.session") == 0)
            #expect(world.refusals(of: notes) == [] && world.refusals(of: idp) == [])
            await apps.stop()
        }
    }

    @Test func `may be allowed the device and not everywhere`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world)
            let error = await failure { try await apps.notes.role.logout(apps.alice, scope: .everywhere) }
            #expect(error?.code == .logoutNotPermitted)
            _ = try await apps.notes.role.logout(apps.alice, scope: .device)
            await apps.stop()
        }
    }

    @Test func `gets nothing when the person refuses`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world, dialogue: Script.choosing(["allow", "keep"]))
            let error = await failure { try await apps.notes.role.logout(apps.alice, scope: .device) }
            #expect(error?.code == .accessDenied)
            #expect(try await apps.notes.role.accounts.all().count == 1)
            #expect(try await apps.broker.role.accounts.all().count == 1)
            #expect(try world.count("provider.session") == 1)
            await apps.stop()
        }
    }

    @Test func `that waits no longer has its question taken back`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let silent = SilentDialogue()
            let person = AfterConsent(Script.choosing(["allow"]), silent)
            let apps = try await TwoApps(world, dialogue: person)
            let error = await failure {
                try await apps.notes.role.logout(apps.alice, scope: .device, timeout: .seconds(20))
            }
            #expect(error?.code == .deadlinePassed)
            #expect(try await silent.asked.value().kind == .logoutConfirmation)
            try await silent.takenBack.value()
            #expect(try await apps.notes.role.accounts.all().count == 1)
            await apps.stop()
        }
    }

    @Test func `by a process beside the one that owns the name gets it too`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world)
            let beside = try await world.runIdle(notes)
            let result = try await beside.role.logout(apps.alice, scope: .device)
            #expect(result == LogoutResult(scope: .device, isRevoked: true))
            #expect(try await apps.notes.role.accounts.all().isEmpty)
            await beside.stop()
            await apps.stop()
        }
    }

    @Test func `by a process whose app has left the bus takes its place`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world)
            let beside = try await world.runIdle(notes)
            await apps.notes.stop()
            let result = try await beside.role.logout(apps.alice, scope: .device)
            #expect(result == LogoutResult(scope: .device, isRevoked: true))
            #expect(try await beside.role.accounts.all().isEmpty)
            // The others are told after the answer has left.
            try await world.environment.sleep(for: .seconds(5))
            #expect(try await apps.photos.role.accounts.all().isEmpty)
            await beside.stop()
            await apps.photos.stop()
            await apps.broker.stop()
        }
    }

    @Test func `for a login that it does not have is told so, and nobody is asked`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let asked = NotedDialogue(Script.choosing(["allow", "log-out"]))
            let apps = try await TwoApps(world, dialogue: asked)
            let bob = try await apps.broker.role.logIn(username: "bob", password: Secret("bob-secret"))
            await apps.notes.stop()
            let answer = Promise<Command>()
            let prying = try await world.endpoint(of: notes, role: .client) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender)
                else { return }
                answer.fulfil(incoming.command.command)
            }
            let before = asked.kinds.count
            try await prying.role.send(
                .logout(LogoutRequest(bob)), to: try world.peer(idp), flow: try FlowID(world.environment.uuid()))
            #expect(try await answer.value() == .logoutack(.init(.notLoggedIn)))
            #expect(asked.kinds.count == before)
            #expect(try await apps.broker.role.accounts.all().count == 2)
            await prying.stop()
            await apps.photos.stop()
            await apps.broker.stop()
        }
    }

    @Test func `for itself is forgotten by the identity provider app, which tells it nothing any more`() throws {
        try simulate(try .twoApps()) { world in
            let apps = try await TwoApps(world)
            let result = try await apps.notes.role.logout(apps.alice)
            #expect(result == LogoutResult(scope: .app, isRevoked: true))
            #expect(try await apps.logOut().lines == ["\(photos) revoked logged_out"])
            await apps.stop()
        }
    }

    @Test func `is logged out here at least when it is forced and nobody is there to ask`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world)
            await apps.broker.stop()
            let error = await failure { try await apps.notes.role.logout(apps.alice, scope: .device) }
            #expect(error?.code == .peerNotRunning)
            #expect(try await apps.notes.role.accounts.all().count == 1)
            let result = try await apps.notes.role.logout(apps.alice, scope: .device, force: true)
            #expect(result == LogoutResult(scope: .app, isRevoked: true))
            #expect(try await apps.notes.role.accounts.all().isEmpty)
            await apps.notes.stop()
            await apps.photos.stop()
        }
    }

    @Test func `and dies before it is sent has asked for nothing`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let deathbed = Deathbed(.clientLogoutStored)
            let apps = try await TwoApps(world, notes: { $0.boundary = deathbed.hook })
            let logout = apps.notes.spawn("logout") { [alice = apps.alice] in
                try await $0.logout(alice, scope: .device)
            }
            try await deathbed.reached.value()
            await apps.notes.kill()
            _ = await failure { try await logout.value }
            let next = try await world.runClient(dialogue: NoDialogue())
            #expect(try await next.role.accounts.all().count == 1)
            _ = try await next.role.logout(apps.alice, scope: .device)
            #expect(try await next.role.accounts.all().isEmpty)
            await next.stop()
            await apps.photos.stop()
            await apps.broker.stop()
        }
    }
}

/// Answers questions about a consent, and leaves all others to somebody else.
private struct AfterConsent: Dialogue {
    let consenting: any Dialogue
    let other: any Dialogue

    init(_ consenting: any Dialogue, _ other: any Dialogue) {
        self.consenting = consenting
        self.other = other
    }

    func ask(_ question: Question) async throws -> Answer {
        try await (question.kind == .consent ? consenting : other).ask(question)
    }
}
