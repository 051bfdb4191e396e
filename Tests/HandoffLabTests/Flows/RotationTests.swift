import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import Platform
import Synchronization
import TestSupport
import Testing

/// New keys for either side, while both run.
@Suite struct `A change of keys` {
    /// Does something when it is asked for consent, and then allows it.
    private struct Meanwhile: Dialogue {
        let kind: Question.Kind
        let person: any Dialogue
        let act: @Sendable () async throws -> Void

        func ask(_ question: Question) async throws -> Answer {
            if question.kind == kind { try await act() }
            return try await person.ask(question)
        }
    }

    private func keyID(_ url: String) throws -> String? {
        let token = url.split(separator: "=").last ?? ""
        return try JSONValue(parsing: try Base64URL.decode(String(token.prefix { $0 != "." })))["kid"]?.stringValue
    }

    /// Two people, each with a login of one client; the second one's came after the OAuth key was replaced.
    private func loginsBeforeAndAfter(
        _ world: LabWorld, overlap: Duration,
        _ check: (LabProcess<HandoffClient>, _ before: UserAccount, _ after: UserAccount, _ old: KeyThumbprint)
            async throws -> Void
    ) async throws {
        let asked = NotedDialogue(Script.choosing(["allow"]))
        let broker = try await world.runBroker(dialogue: asked)
        for name in ["alice", "bob"] {
            _ = try await broker.role.logIn(username: name, password: Secret("\(name)-secret"))
        }
        let client = try await world.runClient(dialogue: NoDialogue())
        let before = try await client.role.login(.handOff(hint: "alice")).0
        let old = try await AppKeys.load(from: try world.app(notes).secrets).oauth.thumbprint
        try await world.rotate(
            notes, replacesOAuth: true, ends: overlap > .zero ? world.environment.now() + overlap : nil)
        let after = try await client.role.login(.handOff(hint: "bob")).0
        #expect(asked.kinds == [.consent, .consent])
        let now = try await AppKeys.load(from: try world.app(notes).secrets).oauth.keyID
        #expect(now != old.value)
        try await check(client, before, after, old)
        await client.stop()
        await broker.stop()
    }

    @Test(.rule("M8")) func `of OAuth leaves the logins of before until its date, and those of after live on`() throws {
        try simulate { world in
            try await loginsBeforeAndAfter(world, overlap: .seconds(3_600)) { client, before, after, _ in
                for account in [before, after] {
                    _ = try await client.role.accounts.validToken(for: account)
                    _ = try await client.role.accounts.userInfo(for: account)
                }
                try await world.environment.sleep(for: .seconds(16 * 60))
                for account in [before, after] {
                    _ = try await client.role.accounts.validToken(for: account)
                    _ = try await client.role.accounts.userInfo(for: account)
                }
                try await world.environment.sleep(for: .seconds(3_600))
                let error = await failure { try await client.role.accounts.validToken(for: before) }
                #expect(error?.code == .sessionEnded)
                _ = try await client.role.accounts.validToken(for: after)
                #expect(try await client.role.login(.handOff(hint: "alice")).0.subject == before.subject)
                _ = try await client.role.accounts.validToken(for: before)
            }
        }
    }

    @Test func `of OAuth at once ends the logins of before at once`() throws {
        try simulate { world in
            try await loginsBeforeAndAfter(world, overlap: .zero) { client, before, after, _ in
                #expect(await failure { try await client.role.accounts.userInfo(for: before) } != nil)
                _ = try await client.role.accounts.userInfo(for: after)
                try await world.environment.sleep(for: .seconds(16 * 60))
                let error = await failure { try await client.role.accounts.validToken(for: before) }
                #expect(error?.code == .sessionEnded)
                _ = try await client.role.accounts.validToken(for: after)
            }
        }
    }

    @Test(.rule("S30")) func `of OAuth ends the logins of a former key when that is revoked before its date`() throws {
        try simulate { world in
            try await loginsBeforeAndAfter(world, overlap: .seconds(3_600)) { client, before, after, old in
                try await world.revoke(old, of: notes)
                #expect(await failure { try await client.role.accounts.userInfo(for: before) } != nil)
                _ = try await client.role.accounts.userInfo(for: after)
                try await world.environment.sleep(for: .seconds(16 * 60))
                let error = await failure { try await client.role.accounts.validToken(for: before) }
                #expect(error?.code == .sessionEnded)
                _ = try await client.role.accounts.validToken(for: after)
            }
        }
    }

    @Test(.rule("M8"), arguments: [false, true])
    func `of OAuth lets a login that is under way end well within the overlap, and not without one`(_ overlaps: Bool)
        throws
    {
        try simulate { world in
            let once = Mutex(false)
            let asked = Meanwhile(kind: .consent, person: Script.allowing("alice")) {
                let isFirst = once.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                guard isFirst else { return }
                try await world.rotate(
                    notes, replacesOAuth: true, ends: overlaps ? world.environment.now() + .seconds(3_600) : nil)
            }
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { _ = try await client.role.login(.handOff()) }
            #expect((error == nil) == overlaps)
            let (account, _) = try await client.role.login(.handOff())
            _ = try await client.role.accounts.userInfo(for: account)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("M8"), arguments: [notes, idp])
    func `lets a login that is under way end well, and the next one is signed with the new keys`(_ who: String) throws {
        try simulate { world in
            let tap = Tap()
            let once = Mutex(false)
            let asked = Meanwhile(kind: .consent, person: Script.allowing("alice")) {
                let isFirst = once.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                guard isFirst else { return }
                try await world.rotate(who, to: .edDSA, ends: world.environment.now() + .seconds(3_600))
            }
            let broker = try await world.runBroker(dialogue: asked) { $0.bus = tap.listening(on: $0.bus) }
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(once.withLock { $0 })
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(world.refusals(of: idp).isEmpty && world.refusals(of: notes).isEmpty)
            let now = try await AppKeys.load(from: try world.app(notes).secrets).command
            #expect(try keyID(try #require(tap.urls(.authack).last)) == now.keyID)
            #expect(now.algorithm == (who == notes ? .edDSA : .es256))
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S30", "M8")) func `ends the old key at its date, to the moment`() throws {
        try simulate { world in
            let old = try world.app(notes).keys
            let ends = Timestamp(seconds: world.environment.now().seconds + 100)
            try await world.rotate(notes, ends: ends)
            let broker = try await world.runBroker(dialogue: NoDialogue())
            let holder = try await world.endpoint(of: notes, role: .client, keys: old)
            func ping() async throws {
                let sealed = try await holder.role.seal(
                    .ping(Ping(nonce: "nonce")), to: try world.peer(idp), flow: try FlowID(world.environment.uuid()))
                try await holder.bus.open(sealed.url, at: idp, startIfNeeded: false)
                try await world.environment.sleep(for: .milliseconds(100))
            }
            try await world.environment.sleep(for: ends - world.environment.now() - .milliseconds(200))
            try await ping()
            #expect(world.refusals(of: idp).isEmpty)
            try await world.environment.sleep(for: ends - world.environment.now())
            try await ping()
            #expect(world.refusals(of: idp) == ["unknown-key"])
            await holder.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S30")) func `takes the question back when the key that asked is revoked, and the new key is heard`()
        throws
    {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
            _ = try await silent.asked.value()
            let old = try await world.rotate(notes, ends: world.environment.now() + .seconds(3_600))
            try await world.environment.sleep(for: .seconds(3))
            #expect(silent.takenBack.outcome == nil)
            try await world.revoke(old, of: notes)
            try await silent.takenBack.value()
            let error = await failure { try await login.value }
            #expect(error?.code == .peerRefused)
            #expect(world.decisions(of: idp).contains("the key that began it was revoked"))
            await broker.stop()

            // Whoever has the old key is refused at once, and the app itself is not.
            let again = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            let holder = try await world.endpoint(of: notes, role: .client, keys: try world.app(notes).keys)
            let sealed = try await holder.role.seal(
                .ping(Ping(nonce: "nonce")), to: try world.peer(idp), flow: try FlowID(world.environment.uuid()))
            try await holder.bus.open(sealed.url, at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == ["unknown-key"])
            await holder.stop()
            await again.stop()
        }
    }

    @Test(.rule("S30"), arguments: [false, true])
    func `ends an invitation when the key that invited is revoked before the person agrees`(_ isRevoked: Bool) throws {
        try simulate { world in
            let asked = Meanwhile(kind: .switchConfirmation, person: Script.allowing("alice")) {
                let old = try await world.rotate(idp, ends: world.environment.now() + .seconds(3_600))
                if isRevoked { try await world.revoke(old, of: idp) }
            }
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: asked)
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
            let error = await failure { try await broker.role.send(invitation) }
            #expect((error == nil) != isRevoked)
            #expect(try await client.role.accounts.all().isEmpty == isRevoked)
            await client.stop()
            await broker.stop()
        }
    }
}
