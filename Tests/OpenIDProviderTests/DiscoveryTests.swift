import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct DiscoveryTests {
    @Test(arguments: [Discovery.openIDConfigurationPath, Discovery.authorizationServerPath])
    func `the metadata reads back under its issuer and under no other`(path: String) async throws {
        let world = try await World()
        let reply = await world.get(path)
        #expect(reply.status == 200)
        let metadata = try ServerMetadata(json: reply.json, expecting: world.issuer)
        #expect(metadata.tokenEndpoint == "http://localhost:8123/token")
        #expect(metadata.authorizationChallengeEndpoint == "http://localhost:8123/authorize-challenge")
        #expect(metadata.sendsIssuerInResponse)
        #expect(throws: Fault.self) {
            try ServerMetadata(json: reply.json, expecting: try Issuer("http://localhost:9999"))
        }
    }

    @Test func `test switches are said in the metadata and only then`() async throws {
        let plain = await (try World()).get("/.well-known/openid-configuration")
        #expect(plain.json["test"] == nil)
        let switched = await (try World { $0.isTest = true }).get("/.well-known/openid-configuration")
        #expect(switched.json["test"] == true)
    }

    @Test func `the key set has both public keys and no private member`() async throws {
        let world = try await World()
        let reply = await world.get("/jwks")
        let set = try JWKSet(reply.json)
        #expect(set.keys.map(\.algorithm) == ["ES256", "RS256"])
        #expect(set.key(id: world.keys.es256.keyID) != nil)
        for member in ["\"d\"", "\"p\"", "\"q\""] { #expect(!reply.text.contains(member)) }
    }

    @Test func `a key of before the rotation is still published and accepted`() async throws {
        let (world, old) = (try await World(), try SigningKey.generate(.es256))
        let keys = try ProviderKeys(
            es256: world.keys.es256, rs256: world.keys.rs256, previous: [old.verificationKey])
        #expect(keys.set.key(id: old.keyID) != nil)
        #expect(world.keys.set.key(id: old.keyID) == nil)
    }

    @Test func `keys in the wrong place are refused`() throws {
        let key = try SigningKey.generate(.es256)
        #expect(throws: Fault(.unfitProviderKeys)) { try ProviderKeys(es256: key, rs256: key) }
    }

    @Test func `an unknown address is 404, as JSON for programs and as a page for people`() async throws {
        let world = try await World()
        let program = await world.get("/nothing")
        #expect(program.status == 404)
        #expect(program.error == "invalid_request")
        let person = await world.get("/nothing", headers: ["Accept": "text/html"])
        #expect(person.status == 404)
        #expect(person.text.contains("<!doctype html>"))
    }

    @Test func `a method that an address does not take is 405 with the ones it takes`() async throws {
        let world = try await World()
        let reply = await world.get("/token")
        #expect(reply.status == 405)
        #expect(reply.http.headers.single("Allow") == "POST")
        #expect(await world.get("/jwks").status == 200)
    }

    @Test func `the bare address is a page with the security headers`() async throws {
        let reply = await (try World()).get("/")
        #expect(reply.status == 200)
        let policy = reply.http.headers.single("Content-Security-Policy") ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(reply.http.headers.single("X-Content-Type-Options") == "nosniff")
    }

    @Test func `every refusal as JSON has a code, a description and no-store`() async throws {
        let world = try await World()
        for endpoint in [Endpoint.token, .revoke, .challenge] {
            let reply = await world.post(endpoint, [])
            #expect(reply.error != nil)
            #expect(try reply.string("error_description").hasSuffix("."))
            #expect(reply.http.headers.single("Cache-Control") == "no-store")
        }
    }
}
