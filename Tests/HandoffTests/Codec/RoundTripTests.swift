import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// `parse(build(x)) == x`, byte by byte: Swift's `==` on texts would call é and e with an accent equal.
@Suite struct RoundTripTests {
    private func survives(_ command: Command, inReplyTo: CommandID? = World.commandID(3)) throws -> Bool {
        let (sender, receiver) = Samples.parties(command.name)
        let sealed = try sender.sealer.seal(
            command, to: receiver.peer, flow: try World.flow(), inReplyTo: inReplyTo, id: World.commandID(),
            now: World.now)
        let read = try receiver.receiver().verify(sealed.url, now: World.now, registry: { World.registry($0) })
        let back = try #require(read)
        #expect(back.envelope == sealed.envelope)
        return back.command == command && bytes(back.command) == bytes(command)
    }

    private func bytes(_ command: Command) -> [UInt8] { JSONValue.object(command.fields).serialized() }

    @Test(.rule("T2", "T7"), arguments: CommandName.allCases)
    func `every command comes back as it was sent`(_ name: CommandName) throws {
        #expect(try survives(Samples.command(name)))
    }

    @Test(arguments: AuthError.Reason.allCases)
    func `every reason of a refusal comes back`(_ reason: AuthError.Reason) throws {
        #expect(try survives(.error(AuthError(reason))))
    }

    @Test(arguments: AuthAcknowledgement.Outcome.allCases)
    func `every outcome comes back`(_ outcome: AuthAcknowledgement.Outcome) throws {
        #expect(try survives(.authack(AuthAcknowledgement(outcome))))
    }

    @Test(arguments: LogoutAcknowledgement.Outcome.allCases)
    func `every receipt comes back`(_ outcome: LogoutAcknowledgement.Outcome) throws {
        #expect(try survives(.logoutack(LogoutAcknowledgement(outcome))))
    }

    @Test(arguments: LogoutRequest.Scope.allCases)
    func `every scope of a logout comes back`(_ scope: LogoutRequest.Scope) throws {
        let request = LogoutRequest(issuer: "i", subject: "u1", sessionID: nil, scope: scope)
        #expect(try survives(.logout(request)))
    }

    @Test(.rule("S29", "T3", "A001", "A005"), arguments: HostileText.known)
    func `a text that breaks lenient parsers comes back`(_ text: String) throws {
        #expect(try survives(.idpinit(IDPLoginRequest(userHint: .username(text), startURL: text))))
        let response = SPLoginResponse(code: Secret(text), issuer: text, clientID: text, state: text, subject: text)
        #expect(try survives(.authresponse(response)))
    }

    @Test(.rule("T3", "A006"), arguments: 0..<60)
    func `random Unicode comes back from every field of every command`(_ seed: UInt64) throws {
        var random = HostileText(seed: seed)
        func hint() -> UserHint {
            random.flag()
                ? .account(issuer: random.text(), subject: random.text()) : .username(random.text())
        }
        func perhaps() -> String? { random.flag() ? random.text() : nil }
        let request = SPLoginRequest(
            request: random.text(), userHint: random.flag() ? hint() : nil, appName: perhaps(), loginHost: perhaps())
        let response = SPLoginResponse(
            code: Secret(random.text()), issuer: random.text(), clientID: random.text(), state: random.text(),
            subject: random.text())
        let handed = IDPAuthCodeLoginRequest(
            code: Secret(random.text()), issuer: random.text(), clientID: random.text(), subject: random.text(),
            startURL: perhaps())
        let logout = LogoutRequest(
            issuer: random.text(), subject: random.text(), sessionID: perhaps(), scope: .everywhere,
            logoutToken: perhaps().map { Secret($0) })
        #expect(try survives(.logout(logout)))
        #expect(try survives(.authrequest(request)))
        #expect(try survives(.authresponse(response)))
        #expect(try survives(.idpinit(IDPLoginRequest(userHint: hint(), startURL: perhaps()))))
        #expect(try survives(.idpauthcodeinit(handed)))
    }

    @Test(arguments: CommandName.allCases)
    func `a command made from claims alone is read like a sealed one`(_ name: CommandName) throws {
        #expect(try Samples.forge(name).verified()?.command == Samples.command(name))
    }

    @Test(.rule("M2")) func `the order of the claims does not matter`() throws {
        let sound = try Samples.forge(.ping)
        let names = sound.claims.keys.sorted()
        for order in [names, names.reversed()] {
            let members = order.compactMap { name in
                sound.claims[name].flatMap { $0 }.map { "\"\(name)\" : \($0.serializedText)" }
            }
            let text = "{\n" + members.joined(separator: " ,\t") + " }"
            let token = try JWS.sign(Array(text.utf8), header: sound.header, by: sound.signer)
            let read = try World.idp.receiver().verify(
                sound.url(token: token), now: World.now, registry: { World.registry($0) })
            #expect(read?.command == .ping(Samples.ping))
        }
    }

    @Test(.rule("S12", "A151")) func `a claim that stands twice is refused, in either order`() throws {
        let sound = try Samples.forge(.ping)
        let text = JSONValue.object(sound.claims.compactMapValues { $0 }).serializedText.dropFirst().dropLast()
        for payload in [
            "{\(text),\"nonce\":\"evil\"}", "{\"nonce\":\"evil\",\(text)}", "{\(text),\"\\u006eonce\":\"evil\"}",
        ] {
            let token = try JWS.sign(Array(payload.utf8), header: sound.header, by: sound.signer)
            #expect(throws: Fault(.commandMalformed)) {
                try World.idp.receiver().verify(
                    sound.url(token: token), now: World.now, registry: { World.registry($0) })
            }
        }
    }
}
