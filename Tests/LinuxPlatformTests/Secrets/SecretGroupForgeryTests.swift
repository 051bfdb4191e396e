import Basics
import JOSE
import LinuxPlatform
import Platform
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SecretGroupForgeryTests {
    private let before = SecretGroupFixture.before
    private let fixture: SecretGroupFixture

    init() throws { fixture = try SecretGroupFixture() }

    private func taking(_ name: String = "flow", by app: String = "app.one") async -> Fault? {
        do {
            _ = try await fixture.open(app).take(name, now: before)
            return nil
        } catch {
            return error as? Fault
        }
    }

    @Test func `a list with one byte changed is refused, the signed one is not`() async throws {
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let list = try fixture.folder.bytes(of: fixture.path("members.jws"))
        for place in [0, list.count / 2, list.count - 3] {
            var forged = list
            forged[place] = forged[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try fixture.folder.set(fixture.path("members.jws"), to: forged)
            #expect(await taking()?.code == .groupListRefused, "byte \(place)")
        }
        try fixture.folder.set(fixture.path("members.jws"), to: list)
        #expect(await taking() == nil)
        fixture.folder.remove(fixture.path("members.jws"))
        #expect(await taking()?.code == .groupListRefused, "no list")
    }

    @Test func `a list that another key signed is refused`() async throws {
        try await fixture.keeper(signingKey: SigningKey.generate(.es256)).update(members: fixture.members("app.one"))
        #expect(await taking()?.code == .groupListRefused)
        try await fixture.keeper().renew(members: fixture.members("app.one"))
        #expect(await taking() == nil)
    }

    @Test func `the list of another group is refused`() async throws {
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let own = try fixture.folder.bytes(of: fixture.path("members.jws"))
        let other = try SharedSecretGroupKeeper(
            directory: fixture.folder.path(of: "groups/other"), group: "other", app: SecretGroupFixture.keeperApp,
            signingKey: fixture.signingKey, decryptionKey: fixture.key(of: SecretGroupFixture.keeperApp),
            environment: fixture.environment)
        try await other.update(members: fixture.members("app.one"))
        let foreign = try fixture.folder.bytes(of: "groups/other/members.jws")
        try fixture.folder.set(fixture.path("members.jws"), to: foreign)
        #expect(await taking()?.code == .groupListRefused)
        try fixture.folder.set(fixture.path("members.jws"), to: own)
        #expect(await taking() == nil)
    }

    @Test func `another token of the keeper is not a list`() async throws {
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let list = try UnverifiedJWS(
            compact: String(decoding: try fixture.folder.bytes(of: fixture.path("members.jws")), as: UTF8.self))
        let other = try JWS.sign(
            list.unverifiedPayload, header: ["typ": "idp-command+jwt"], by: fixture.signingKey)
        try fixture.folder.set(fixture.path("members.jws"), to: Array(other.utf8))
        #expect(await taking()?.code == .groupListRefused)
        try fixture.folder.set(fixture.path("members.jws"), to: Array(list.compact.utf8))
        #expect(await taking() == nil)
    }

    @Test func `an older list put back is refused by who has seen the newer one`() async throws {
        try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        let old = try fixture.folder.bytes(of: fixture.path("members.jws"))
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let new = try fixture.folder.bytes(of: fixture.path("members.jws"))
        let one = try fixture.open("app.one")
        #expect(try await one.take("flow", now: before) == nil)
        try fixture.folder.set(fixture.path("members.jws"), to: old)
        await #expect(throws: Fault(.groupListRefused)) { try await one.take("flow", now: before) }
        try fixture.folder.set(fixture.path("members.jws"), to: new)
        #expect(try await one.take("flow", now: before) == nil)
    }

    @Test func `a group key that the list does not name is refused`() async throws {
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let name = fixture.path("key.1.app.one.jwe")
        let own = try fixture.folder.bytes(of: name)
        let slipped = try JWE.encrypt(
            [UInt8](repeating: 9, count: 32), header: [:], to: fixture.key(of: "app.one").encryptionKey)
        try fixture.folder.set(name, to: Array(slipped.utf8))
        #expect(await taking()?.code == .groupKeyRefused)
        fixture.folder.remove(name)
        #expect(await taking()?.code == .groupKeyRefused, "no key file")
        try fixture.folder.set(name, to: own)
        #expect(await taking() == nil)
    }

    @Test(arguments: ["owner", "expiry", "name", "value"])
    func `an item with a column changed does not open`(_ column: String) async throws {
        try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        let one = try fixture.open("app.one")
        try await one.put(fixture.item("flow", for: "app.two"))
        try await one.put(fixture.item("plain", for: "app.two"))
        let rows = try SQLiteStore(path: fixture.folder.path(of: fixture.path("items.sqlite")))
        try await rows.write(.full) { transaction in
            let kind = RecordKind("item")
            guard var record = try transaction.take(kind, "flow", condition: "app.two") else { return }
            switch column {
            case "owner": record.condition = "app.one"
            case "expiry": record.expires = SecretGroupFixture.noon + .seconds(60)
            case "name": record.key = "moved"
            default: record.value[record.value.count - 1] ^= 1
            }
            try transaction.put(record)
        }
        await rows.close()
        let fault = await taking(column == "name" ? "moved" : "flow", by: column == "owner" ? "app.one" : "app.two")
        #expect(fault?.code == .groupItemRefused)
        #expect(try await fixture.open("app.two").take("plain", now: before) != nil)
    }
}
