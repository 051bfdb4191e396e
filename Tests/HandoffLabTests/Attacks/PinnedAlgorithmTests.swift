import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import Platform
import TestSupport
import Testing

/// Each side pins the other's command key with one algorithm, whichever of the three it is.
@Suite struct `A pinned algorithm` {
    private func plan(client: SignatureAlgorithm, identityProvider: SignatureAlgorithm) throws -> WorldPlan {
        var plan = try WorldPlan.usual()
        plan.commandAlgorithms = [notes: client, idp: identityProvider]
        return plan
    }

    @Test(
        .rule("S14"),
        arguments: [
            (SignatureAlgorithm.edDSA, SignatureAlgorithm.es256), (.ps256, .edDSA), (.es256, .ps256),
        ])
    func `is what a whole login is signed with`(_ client: SignatureAlgorithm, _ identityProvider: SignatureAlgorithm)
        throws
    {
        try simulate(try plan(client: client, identityProvider: identityProvider)) { world in
            let tap = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let app = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            #expect(try await app.role.login(.handOff()).0.username == "alice")
            let report = try #require(tap.urls(.authack).first)
            let token = try #require(report.split(separator: "=").last)
            let header = try JSONValue(parsing: try Base64URL.decode(String(token.prefix { $0 != "." })))
            #expect(header["alg"]?.stringValue == client.rawValue)
            await app.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S14")) func `is not exchanged for another that the same key can do`() throws {
        try simulate(try plan(client: .ps256, identityProvider: .es256)) { world in
            let own = try world.app(notes).keys
            let broker = try await world.runBroker(dialogue: NoDialogue())
            for (algorithm, refused) in [(SignatureAlgorithm.ps256, 0), (.rs256, 1)] {
                let keys = AppKeys(
                    command: try SigningKey(privateJWK: try bare(own.command), algorithm: algorithm),
                    encryption: own.encryption, oauth: own.oauth, atRest: own.atRest)
                #expect(keys.command.thumbprint == own.command.thumbprint)
                let app = try await world.endpoint(of: notes, role: .client, keys: keys)
                let ping = Command.ping(Ping(nonce: "nonce"))
                let sealed = try await app.role.seal(
                    ping, to: try world.peer(idp), flow: try FlowID(world.environment.uuid()))
                try await app.bus.open(sealed.url, at: idp, startIfNeeded: false)
                try await world.environment.sleep(for: .seconds(1))
                #expect(world.refusals(of: idp) == Array(repeating: "command-signature", count: refused))
                await app.stop()
            }
            await broker.stop()
        }
    }

    /// The key without its words, so that it can be taken for another algorithm.
    private func bare(_ key: SigningKey) throws -> Secret<String> {
        var members = try JSONValue(parsing: try key.privateJWK().unmasked).objectValue ?? [:]
        members["alg"] = nil
        return Secret(JSONValue.object(members).serializedText)
    }
}
