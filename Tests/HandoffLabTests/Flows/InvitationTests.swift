import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `An invitation` {
    @Test func `to the account that is current switches without a question`() throws {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let client = try await world.runClient(dialogue: NoDialogue())
                let (account, _) = try await client.role.login(.handOff())
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .switched)
                #expect(try await client.role.accounts.current() == account)
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("S9"))
    func `to another account asks the person, who sees both names, and keeps the first when told to`() throws {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let asked = NotedDialogue(DialogueInOrder([Answer("keep"), Answer("switch")]))
                let client = try await world.runClient(dialogue: asked)
                let (alice, _) = try await client.role.login(.handOff())

                let refused = await failure {
                    try await world.invite(broker.role, as: "bob", usesKeychain: usesKeychain)
                }
                #expect(refused as? Cancellation == Cancellation(by: .peer))
                let question = try #require(asked.questions.first)
                let shown = ([question.title] + question.lines).joined(separator: " ")
                #expect(shown.contains("alice"))
                if usesKeychain { #expect(shown.contains("bob")) }
                #expect(try await client.role.accounts.current() == alice)

                #expect(try await world.invite(broker.role, as: "bob", usesKeychain: usesKeychain) == .loggedIn)
                #expect(try await client.role.accounts.current()?.username == "bob")
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("A071", "A072")) func `is refused with interaction-required where nobody can be asked`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { try await world.invite(broker.role, as: "alice") }
            #expect(error?.code == .invitationRefused)
            #expect(error?.text.contains("interaction_required") == true)
            #expect(try await client.role.accounts.all().isEmpty)
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `switches silently where the app's own entry says so`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.switchRule = .silent }])
        for usesKeychain in [false, true] {
            try simulate(plan) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let client = try await world.runClient(dialogue: NoDialogue())
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .loggedIn)
                #expect(try await world.invite(broker.role, as: "bob", usesKeychain: usesKeychain) == .loggedIn)
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .switched)
                #expect(try await client.role.accounts.current()?.username == "alice")
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test func `that came by an opener asks, even where the app switches silently`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.switchRule = .silent }])
        try simulate(plan) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let asked = NotedDialogue(Script.choosing(["switch"]))
            let client = try await world.runClient(dialogue: asked)
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
            let result = try await client.role.handleIdentityProviderCommand(from: invitation.url)
            #expect(result?.0.username == "alice")
            #expect(asked.kinds == [.switchConfirmation])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A080")) func `that is taken back while the person is asked takes the question with it`() throws {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let silent = SilentDialogue()
                let client = try await world.runClient(dialogue: silent)
                let opening = broker.spawn("open") { [world] in
                    try await world.invite($0, as: "alice", usesKeychain: usesKeychain)
                }
                _ = try await silent.asked.value()
                opening.cancel()
                #expect(await failure { try await opening.value } is Cancellation)
                try await silent.takenBack.value()
                try await world.environment.sleep(for: .seconds(1))
                #expect(try await client.role.accounts.all().isEmpty)
                #expect(world.refusals(of: notes) + world.refusals(of: idp) == [])
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("A072"))
    func `whose client dies while it asks is answered by the next process, and nobody is asked again`()
        throws
    {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let deathbed = Deathbed(.clientInvitationTaken)
                let client = try await world.runClient(dialogue: NoDialogue()) { $0.boundary = deathbed.hook }
                let opening = broker.spawn("open") { [world] in
                    try await world.invite($0, as: "alice", usesKeychain: usesKeychain)
                }
                try await deathbed.reached.value()
                await client.kill()
                let asked = NotedDialogue(Script.choosing(["switch"]))
                let next = try await world.runClient(dialogue: asked)
                let error = await failure { try await opening.value }
                #expect(error?.code == .invitationRefused)
                #expect(error?.text.contains("temporarily_unavailable") == true)
                #expect(asked.kinds == [])
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .loggedIn)
                await next.stop()
                await broker.stop()
            }
        }
    }

    @Test func `whose client dies when it has switched stays switched, and the next one works`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let deathbed = Deathbed(.clientSwitched)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.boundary = deathbed.hook }
            let (alice, _) = try await client.role.login(.handOff())
            let opening = broker.spawn("open") { [world] in try await world.invite($0, as: "alice") }
            try await deathbed.reached.value()
            await client.kill()
            let next = try await world.runClient(dialogue: NoDialogue())
            #expect(try await next.role.accounts.current() == alice)
            // Its word is lost, and nobody waits longer than the deadline for it.
            #expect(await failure { try await opening.value }?.code == .deadlinePassed)
            #expect(try await world.invite(broker.role, as: "alice") == .switched)
            await next.stop()
            await broker.stop()
        }
    }

    @Test func `that dies with the identity provider app before it has left is sent by the next, or can be made again`()
        throws
    {
        for usesKeychain in [false, true] {
            try simulate { world in
                let deathbed = Deathbed(.brokerInvitationStored)
                let broker = try await world.runBroker(dialogue: Script.allowing("alice")) {
                    $0.boundary = deathbed.hook
                }
                let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
                let opening = broker.spawn("open") { [world] in
                    try await world.invite($0, as: "alice", usesKeychain: usesKeychain)
                }
                try await deathbed.reached.value()
                await broker.kill()
                _ = await failure { try await opening.value }
                let next = try await world.runBroker(dialogue: Script.allowing("alice"))
                try await world.environment.sleep(for: .seconds(2))
                // A code that was stored is sent by the next process, like every answer; an invitation is not.
                #expect(try await client.role.accounts.all().count == (usesKeychain ? 1 : 0))
                let again = try await world.invite(next.role, as: "alice", usesKeychain: usesKeychain)
                #expect(again == (usesKeychain ? .switched : .loggedIn))
                await client.stop()
                await next.stop()
            }
        }
    }

    @Test(.rule("S27")) func `is not taken up after its deadline, though nobody ended it`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let mailbox = Mailbox(world.environment)
            let client = try await world.scripted(notes, .client, mailbox)
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            for (delay, stage) in [(5, FlowStage.answered), (11, .ended(.timedOut))] {
                // Nobody waits for it here, so nobody ends it either.
                let invitation = try await broker.role.prepareInvitation(
                    to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(10))
                try await world.bus.connect(userID: 1000).open(invitation.url, at: notes, startIfNeeded: false)
                try await world.environment.sleep(for: .seconds(1))
                let invited = try mailbox.last(.idpinit)
                try await world.environment.sleep(for: .seconds(delay - 1))
                try await client.role.send(
                    .authrequest(try world.request(of: notes)), to: try world.peer(idp), flow: invitation.flow,
                    inReplyTo: invited.id)
                try await world.environment.sleep(for: .seconds(1))
                #expect(try await broker.role.stage(of: invitation.flow) == stage)
            }
            #expect(world.refusals(of: idp) == ["command-late"])
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `that is answered with an unsound request ends, and so does what waits for it`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.endpoint(of: notes, role: .client) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender),
                    incoming.command.name == .idpinit
                else { return }
                // The command is signed by the client, and the request object in it by somebody else.
                let verifier = CodeVerifier(randomBytes: world.environment.randomBytes(32))
                guard let request = try? world.requestObject(of: notes, verifier, signedBy: idp) else { return }
                try? await endpoint.send(
                    .authrequest(SPLoginRequest(request: request)), to: try world.peer(idp),
                    flow: incoming.command.flow, inReplyTo: incoming.command.id)
            }
            let error = await failure { try await world.invite(broker.role, as: "alice") }
            #expect(error?.code == .peerRefused)
            #expect(world.refusals(of: idp).count == 1)
            #expect(world.decisions(of: idp).contains("ended: refused, invalid_request"))
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T66")) func `without a running client says so`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(await failure { try await world.invite(broker.role, as: "alice") }?.code == .peerNotRunning)
            await broker.stop()
        }
    }

    @Test(arguments: [false, true])
    func `names the provider where that cannot be reached, and the client where that is away`(_ usesKeychain: Bool)
        throws
    {
        try simulate { world in
            let line = CutLine(world.network)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.http = line }
            let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            func invite() async throws {
                let invitation = try await broker.role.prepareInvitation(
                    to: try AppID(notes), account: account, startURL: nil, usesKeychain: usesKeychain,
                    timeout: .seconds(60))
                _ = try await broker.role.send(invitation)
            }
            line.cut()
            let error = await failure { try await invite() }
            #expect(error?.code == .httpUnreachable)
            #expect(error?.text.contains("localhost:8123") == true || usesKeychain)
            line.mend()
            try await invite()
            await client.stop()
            if !usesKeychain { #expect(await failure { try await invite() }?.code == .peerNotRunning) }
            await broker.stop()
        }
    }

    @Test func `with the code sent along is refused by an app that does not take them`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: Script.choosing(["switch"])) {
                $0.manifest.identityProviders[0].allowsKeychain = false
            }
            let error = await failure { try await world.invite(broker.role, as: "alice", usesKeychain: true) }
            #expect(error?.code == .invitationRefused)
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(try await world.invite(broker.role, as: "alice") == .loggedIn)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S17", "T57", "T63")) func `with the code sent along uses its slot once`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: true, timeout: .seconds(60))
            #expect(try await broker.role.send(invitation) == .loggedIn)
            let slots = world.group.store(for: notes)
            #expect(try await slots.take(invitation.flow.text, now: world.environment.now()) == nil)
            let again = await failure { try await client.role.handleIdentityProviderCommand(from: invitation.url) }
            #expect([.commandUncorrelated, .commandReplayed].contains(again?.code))

            // A slot that somebody emptied: the code alone is of no use.
            let robbed = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: true, timeout: .seconds(60))
            #expect(try await slots.take(robbed.flow.text, now: world.environment.now()) != nil)
            #expect(await failure { try await broker.role.send(robbed) }?.code == .invitationRefused)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S10", "T61"))
    func `opens its start address on a registered host or by the app's scheme once the account is current`()
        throws
    {
        let plan = try WorldPlan(
            apps: [
                WorldPlan.app(notes) {
                    $0.hosts = ["app.example.com"]
                    $0.switchRule = .silent
                }
            ])
        for address in ["https://app.example.com/inbox", "\(notes)://inbox/7"] {
            try simulate(plan) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let opener = NotedOpener()
                let client = try await world.runClient(dialogue: NoDialogue()) { $0.opener = opener }
                #expect(try await world.invite(broker.role, as: "alice", startURL: address) == .loggedIn)
                try await world.environment.sleep(for: .seconds(1))
                #expect(opener.opened == [address])
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(
        .rule("S10", "T61", "A197"),
        arguments: [
            "https://evil.example/inbox", "http://app.example.com/inbox", "javascript:alert(1)",
            "https://app.example.com@evil.example/", "file:///etc/passwd", "https://app.example.com.evil.example/",
            "org.countersign.idp://inbox", "org.countersign.client://oauth2/v1.0/cancel?command=e30",
        ])
    func `with any other start address is refused before anything else happens`(address: String) throws {
        let plan = try WorldPlan(
            apps: [
                WorldPlan.app(notes) {
                    $0.hosts = ["app.example.com"]
                    $0.switchRule = .silent
                }
            ])
        try simulate(plan) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let opener = NotedOpener()
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.opener = opener }
            let error = await failure { try await world.invite(broker.role, as: "alice", startURL: address) }
            #expect(error?.code == .invitationRefused)
            #expect(opener.opened.isEmpty)
            #expect(try await client.role.accounts.all().isEmpty)
            await client.stop()
            await broker.stop()
        }
    }
}
