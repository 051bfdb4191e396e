import Basics
import JOSE
import LinuxPlatform
import Platform
import PlatformConformance
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SecretGroupTests {
    private let before = SecretGroupFixture.before

    @Test(.rule("T63"), arguments: SharedSecretStoreConformance.checks.map(\.name))
    func `a group in a folder keeps the rule`(_ name: String) async throws {
        let members = SharedSecretStoreConformance.members
        let fixture = try SecretGroupFixture(apps: members + [SharedSecretStoreConformance.outsider])
        try await fixture.keeper().update(members: fixture.members(members[0], members[1]))
        for check in SharedSecretStoreConformance.checks where check.name == name {
            try await check.run({ app in try fixture.open(app) }, fixture.environment)
        }
    }

    @Test func `the keeper is a member, and leaves items for the others`() async throws {
        let fixture = try SecretGroupFixture()
        let list = try await fixture.keeper().update(members: fixture.members("app.one"))
        #expect(list.members.keys.sorted() == ["app.one", SecretGroupFixture.keeperApp])
        let keeper = try fixture.open(SecretGroupFixture.keeperApp)
        try await keeper.put(fixture.item("flow", for: "app.one"))
        #expect(try await fixture.open("app.one").take("flow", now: before)?.value.unmasked == [7])
    }

    @Test(.rule("S17")) func `an item is taken by its owner alone, and another's attempt leaves it`() async throws {
        let fixture = try SecretGroupFixture()
        try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        try await fixture.open("app.one").put(fixture.item("flow", for: "app.two"))
        #expect(try await fixture.open("app.one").take("flow", now: before) == nil)
        #expect(try await fixture.open("app.two").take("flow", now: before) != nil)
    }

    @Test func `an app that joins gets the present key, and the items stay`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        let one = try fixture.open("app.one")
        try await one.put(fixture.item("flow", for: "app.two"))
        let second = try await fixture.keeper().update(members: fixture.members("app.one", "app.two", "app.three"))
        #expect(second.version == first.version)
        #expect(second.revision == first.revision + 1)
        #expect(try await fixture.open("app.two").take("flow", now: before) != nil)
        try await one.put(fixture.item("next", for: "app.three"))
        #expect(try await fixture.open("app.three").take("next", now: before) != nil)
    }

    @Test func `an app that leaves ends the key, the items and its own part`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one", "app.two", "app.three"))
        let (one, two, three) = (
            try fixture.open("app.one"), try fixture.open("app.two"), try fixture.open("app.three")
        )
        try await three.put(fixture.item("flow", for: "app.two"))
        try await one.put(fixture.item("other", for: "app.two"))
        let second = try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        #expect(second.version == first.version + 1)
        let rows = try SQLiteStore(path: fixture.folder.path(of: fixture.path("items.sqlite")))
        #expect(try rows.read { try $0.list(RecordKind("item")).count } == 0)
        await rows.close()
        // The stores were open all the time: the new list holds for them at once.
        #expect(try await two.take("flow", now: before) == nil)
        #expect(try await two.take("other", now: before) == nil)
        await #expect(throws: Fault(.notGroupMember)) { try await three.put(fixture.item("late", for: "app.two")) }
        await #expect(throws: Fault(.notGroupMember)) { try await one.put(fixture.item("late", for: "app.three")) }
        try await one.put(fixture.item("new", for: "app.two"))
        #expect(try await two.take("new", now: before) != nil)
        let names = try PrivateDirectory(existing: fixture.directory).names().filter { $0.hasPrefix("key.") }
        #expect(names == ["key.2.app.one.jwe", "key.2.app.two.jwe", "key.2.org.countersign.idp.jwe"])
    }

    @Test func `a member with another key than before ends the group key`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        var members = try fixture.members("app.one", "app.two")
        members["app.two"] = try fixture.key(of: "app.three").encryptionKey
        let second = try await fixture.keeper().update(members: members)
        #expect(second.version == first.version + 1)
        await #expect(throws: Fault(.groupKeyRefused)) { try await fixture.open("app.two").take("flow", now: before) }
        let renewed = try fixture.open("app.two", decryptionKey: fixture.key(of: "app.three"))
        #expect(try await renewed.take("flow", now: before) == nil)
    }

    @Test func `the same members again change nothing`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one"))
        let list = try fixture.folder.bytes(of: fixture.path("members.jws"))
        let second = try await fixture.keeper().update(members: fixture.members("app.one"))
        #expect(first == second)
        #expect(try fixture.folder.bytes(of: fixture.path("members.jws")) == list)
        #expect(try fixture.keeper().members() == first)
    }

    @Test func `after a new command key the group is made anew, above the old version`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one"))
        let newKey = try SigningKey.generate(.es256)
        let keeper = try fixture.keeper(signingKey: newKey)
        await #expect(throws: Fault(.groupListRefused)) {
            try await keeper.update(members: fixture.members("app.one"))
        }
        let second = try await keeper.renew(members: fixture.members("app.one"))
        #expect(second.version > first.version)
        await #expect(throws: Fault(.groupListRefused)) { try await fixture.open("app.one").take("flow", now: before) }
        let one = try fixture.open("app.one", keeperKey: newKey.verificationKey)
        try await one.put(fixture.item("flow", for: "app.one"))
        #expect(try await one.take("flow", now: before) != nil)
    }

    @Test func `a new member takes what is left for it from then on, and nothing that was there`() async throws {
        let fixture = try SecretGroupFixture()
        try await fixture.keeper().update(members: fixture.members("app.one"))
        let one = try fixture.open("app.one")
        try await one.put(fixture.item("before", for: "app.one"))
        await #expect(throws: Fault(.notGroupMember)) { try await one.put(fixture.item("early", for: "app.two")) }
        try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        let two = try fixture.open("app.two")
        #expect(try await two.take("before", now: before) == nil)
        try await one.put(fixture.item("after", for: "app.two"))
        #expect(try await two.take("after", now: before) != nil)
        #expect(try await one.take("before", now: before) != nil)
    }

    @Test func `keys that change in good order end neither the group key nor an item`() async throws {
        let fixture = try SecretGroupFixture()
        let first = try await fixture.keeper().update(members: fixture.members("app.one", "app.two"))
        try await fixture.open("app.two").put(fixture.item("flow", for: "app.one"))
        // A member's: it opens with both for a while.
        var members = try fixture.members("app.one", "app.two")
        let newOne = try DecryptionKey.generate()
        members["app.one"] = newOne.encryptionKey
        let second = try await fixture.keeper().update(members: members, rotated: ["app.one"])
        #expect(second.version == first.version)
        #expect(second.revision == first.revision + 1)
        // The keeper's own two.
        let newKey = try SigningKey.generate(.edDSA)
        let keeper = try fixture.keeper(
            signingKey: newKey, decryptionKey: try DecryptionKey.generate(),
            former: .init(
                commandKeys: [fixture.signingKey.verificationKey],
                decryptionKeys: [try fixture.key(of: SecretGroupFixture.keeperApp)]))
        let third = try await keeper.update(members: members)
        #expect(third.version == first.version)
        #expect(try await keeper.update(members: members) == third)
        let one = try fixture.open(
            "app.one", decryptionKey: fixture.key(of: "app.one"), alsoOpens: [newOne],
            keeperKey: newKey.verificationKey, formerKeeperKeys: [fixture.signingKey.verificationKey])
        #expect(try await one.take("flow", now: before)?.value == Secret([7]))
        // Whoever has the old keys alone is out.
        await #expect(throws: Fault(.groupListRefused)) { try await fixture.open("app.one").take("flow", now: before) }
        let old = try fixture.open("app.one", keeperKey: newKey.verificationKey)
        await #expect(throws: Fault(.groupKeyRefused)) { try await old.take("flow", now: before) }
    }

    @Test func `a group that nobody has made is refused, as is a name that leaves its folder`() async throws {
        let fixture = try SecretGroupFixture()
        #expect(throws: Fault(.notGroupMember)) { try fixture.open("app.one") }
        await #expect(throws: Fault(.groupNameRefused)) {
            try await fixture.keeper().update(members: ["../app": fixture.key(of: "app.one").encryptionKey])
        }
        #expect(try fixture.keeper().members() == nil)
        try await fixture.keeper().update(members: fixture.members("app.one"))
        #expect(try await fixture.open("app.one").take("flow", now: before) == nil)
    }
}
