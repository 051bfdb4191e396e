import Basics
import Handoff
import JOSE
import TestSupport
import Testing

@Suite struct CommandSealerTests {
    private func seal(_ command: Command, id: CommandID = World.commandID()) throws -> SealedCommand {
        let (sender, receiver) = Samples.parties(command.name)
        return try sender.sealer.seal(
            command, to: receiver.peer, flow: try World.flow(), inReplyTo: World.commandID(3), id: id, now: World.now)
    }

    @Test(arguments: CommandName.allCases)
    func `a personal command is encrypted and no other is`(_ name: CommandName) throws {
        let parts = try seal(Samples.command(name)).url.split(separator: ".", omittingEmptySubsequences: false)
        // The version in the path has a dot of its own.
        #expect(parts.count - 1 == (name.isPersonal ? 5 : 3))
        #expect(name.isPersonal == [.authrequest, .authresponse, .idpinit, .idpauthcodeinit, .logout].contains(name))
    }

    @Test func `the signed part's header is exactly typ, alg and kid`() throws {
        let token = try #require(try seal(.cancel).url.split(separator: "=").last)
        let header = try UnverifiedJWS(compact: token).header
        #expect(
            header == ["typ": "idp-command+jwt", "alg": "ES256", "kid": .string(World.client.command.thumbprint.value)])
    }

    @Test func `the encryption's header is exactly the seven members`() throws {
        let token = try #require(try seal(Samples.command(.authrequest)).url.split(separator: "=").last)
        let header = try UnverifiedJWE(compact: token).header
        #expect(header.keys.sorted() == ["alg", "apu", "apv", "cty", "enc", "epk", "kid"])
        #expect(header["alg"] == "ECDH-ES")
        #expect(header["enc"] == "A256GCM")
        #expect(header["cty"] == "idp-command+jwt")
    }

    @Test(.rule("A155")) func `a command that would make a URL over 8 KiB is refused at the sender`() throws {
        func hint(_ count: Int) -> Command {
            .idpinit(IDPLoginRequest(userHint: .username(String(repeating: "a", count: count))))
        }
        #expect(try seal(hint(3_000)).url.utf8.count <= 8_192)
        #expect(throws: Fault(.commandTooLarge)) { try seal(hint(6_000)) }
    }

    @Test(arguments: [
        Command.idpinit(IDPLoginRequest(userHint: .username(""))),
        .idpinit(IDPLoginRequest(userHint: .account(issuer: "", subject: "u1"))),
        .idpinit(IDPLoginRequest(userHint: .username("alice"), startURL: "")),
        .authrequest(SPLoginRequest(request: "")),
        .authrequest(SPLoginRequest(request: "a.b.c", appName: "")),
        .authresponse(SPLoginResponse(code: Secret(""), issuer: "i", clientID: "c", state: "s", subject: "u")),
        .authresponse(SPLoginResponse(code: Secret("c"), issuer: "i", clientID: "c", state: "s", subject: "")),
        .ping(Ping(nonce: "")), .ping(Ping(nonce: "alice@example.com")),
        .ping(Ping(nonce: String(repeating: "a", count: 65))),
        .pong(Pong(nonce: "a", version: "see https://evil.example", encryptionKeyID: "k")),
    ])
    func `a field that no receiver would read is refused at the sender`(_ command: Command) throws {
        #expect(throws: Fault(.commandMeaning)) { try seal(command) }
    }

    @Test func `an id of another length than 128 bits is refused at the sender`() throws {
        #expect(throws: Fault(.commandMeaning)) { try seal(.cancel, id: CommandID(randomBytes: [1, 2, 3])) }
        #expect(throws: Never.self) { try seal(.cancel, id: CommandID(randomBytes: [UInt8](repeating: 0, count: 16))) }
    }

    @Test(.rule("A003")) func `a command's URL has no character to argue about, whatever it carries`() throws {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?=")
        for text in HostileText.known {
            let response = SPLoginResponse(code: Secret(text), issuer: text, clientID: text, state: text, subject: text)
            let sealed = try World.idp.sealer.seal(
                .authresponse(response), to: World.client.peer, flow: try World.flow(),
                inReplyTo: World.commandID(3), id: World.commandID(), now: World.now)
            #expect(sealed.url.allSatisfy { plain.contains($0) })
            #expect(sealed.url.count { $0 == "=" } == 1 && sealed.url.count { $0 == "?" } == 1)
        }
    }

    @Test(.rule("A152"), arguments: CommandName.allCases)
    func `no field has the name of a claim of the envelope`(_ name: CommandName) {
        let claims: Set = ["iss", "aud", "jti", "flow", "irt", "iat", "exp", "command", "ekid", "traceparent"]
        #expect(claims.isDisjoint(with: Samples.command(name).fields.keys))
    }

    @Test func `two seals of one command share no ciphertext`() throws {
        #expect(try seal(Samples.command(.idpinit)).url != seal(Samples.command(.idpinit)).url)
    }
}
