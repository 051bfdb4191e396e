import Basics
import FoundationEssentials
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct ClientAuthenticationTests {
    @Test func `a secret is taken by Basic and by post, and a wrong one by neither`() async throws {
        let world = try await World()
        for (secret, status) in [("web-secret", 400), ("wrong", 401)] {
            let post = [("client_id", "web"), ("client_secret", secret), ("grant_type", "x")]
            #expect(await world.post(.token, post).status == status)
            let basic = Data("web:\(secret)".utf8).base64EncodedString()
            let reply = await world.post(.token, [("grant_type", "x")], headers: ["Authorization": "Basic \(basic)"])
            #expect(reply.status == status)
            #expect((reply.http.headers.single("WWW-Authenticate") != nil) == (status == 401))
        }
    }

    @Test func `a confidential client without its credential is invalid_client, like an unknown one`() async throws {
        let world = try await World()
        let bare = await world.post(.token, [("client_id", "web"), ("grant_type", "x")])
        let unknown = await world.post(.token, [("client_id", "nobody"), ("grant_type", "x")])
        #expect(bare.status == 401)
        #expect(bare.text == unknown.text)
        let pub = await world.post(.token, [("client_id", "desk"), ("grant_type", "x")])
        #expect(pub.error == "unsupported_grant_type")
    }

    @Test func `two ways of authentication in one request are refused`() async throws {
        let world = try await World()
        let fields = try world.assertion(world.portal) + [("client_secret", "x"), ("grant_type", "x")]
        #expect(await world.post(.token, fields).error == "invalid_request")
    }

    @Test func `a client_id beside the credential names the same client`() async throws {
        let world = try await World()
        let assertion = try world.assertion(world.portal)
        let other = await world.post(.token, assertion + [("client_id", "desk"), ("grant_type", "x")])
        #expect(other.error == "invalid_client")
        let same = await world.post(
            .token, try world.assertion(world.portal) + [("client_id", "portal"), ("grant_type", "x")])
        #expect(same.error == "unsupported_grant_type")
    }

    @Test func `an assertion signed by another key or for another audience is refused`() async throws {
        let world = try await World()
        func status(_ audience: Issuer, _ key: SigningKey) async throws -> Int {
            let assertion = try ClientAssertion.signed(
                clientID: world.portal.id, audience: audience, id: world.freshID(), now: world.clock.now, key: key)
            let fields = [("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion)]
            return await world.post(.token, fields + [("grant_type", "x")]).status
        }
        #expect(try await status(world.issuer, world.notes.key) == 401)
        #expect(try await status(try Issuer("http://localhost:8123/token"), world.portal.key) == 401)
        #expect(try await status(world.issuer, world.portal.key) == 400)
    }

    @Test func `an assertion of an unknown type is refused`() async throws {
        let world = try await World()
        let assertion = try world.assertion(world.portal).filter { $0.0 == "client_assertion" }
        #expect(await world.post(.token, assertion + [("grant_type", "x")]).error == "invalid_client")
    }

    @Test func `a request object or a proof is no client assertion`() async throws {
        let world = try await World()
        let object = try world.requestObject(of: world.portal, world.verifier())
        let fields = [("client_assertion_type", ClientAssertion.type), ("client_assertion", object)]
        #expect(await world.post(.token, fields + [("grant_type", "x")]).error == "invalid_client")
    }

    @Test func `a proof for another address or method is refused`() async throws {
        let world = try await World()
        let fields = [("client_id", world.notes.id.text), ("grant_type", "x")]
        for proof in [
            try world.proof(world.notes.key, .revoke), try world.proof(world.notes.key, .token, method: "GET"),
        ] {
            #expect(await world.post(.token, fields, headers: proof).error == "invalid_dpop_proof")
        }
        let right = try world.proof(world.notes.key, .token)
        #expect(await world.post(.token, fields, headers: right).error == "unsupported_grant_type")
    }

    @Test func `two proofs in one request are refused`() async throws {
        let world = try await World()
        var headers = try world.proof(world.notes.key, .token)
        headers.add("DPoP", try world.proof(world.notes.key, .token).single("DPoP") ?? "")
        let fields = [("client_id", world.notes.id.text), ("grant_type", "x")]
        #expect(await world.post(.token, fields, headers: headers).error == "invalid_dpop_proof")
    }
}
