import Basics
import FoundationEssentials
import Glibc
import JOSE
import LinuxPlatform
import Platform
import Testing

struct SurroundingsTests {
    let fixture: HomeFixture

    init() throws { fixture = try HomeFixture() }

    private var request: SurroundingsRequest { SurroundingsRequest(variables: fixture.variables) }

    @Test func `an app's surroundings work, and leave no daemon behind`() async throws {
        let home = try await fixture.make()
        let manifest = try HomeFixture.client()
        _ = try await fixture.enrol(manifest, in: home)
        let open = try await LinuxSurroundings.open(home, manifest: home.manifest(of: manifest.id), request)
        let surroundings = open.surroundings
        #expect(surroundings.manifest == manifest)
        #expect(surroundings.ownUserID == geteuid())
        #expect(open.bus.isPrivate)
        let daemon = try daemonOfBus(home)
        #expect(kill(daemon, 0) == 0)

        let heard = Promise<Delivery>()
        let registration = try await surroundings.bus.register(manifest.id) { heard.fulfil($0) }
        try await surroundings.bus.open("example-notes://ping", at: manifest.id, startIfNeeded: false)
        let delivery = try await heard.value()
        #expect(delivery.content == .open(url: "example-notes://ping"))
        #expect(delivery.sender?.userID == geteuid())
        #expect(delivery.sender?.uniqueName == registration.uniqueName)

        let kind = RecordKind("note")
        try await surroundings.store.write(.full) { try $0.put(Record(kind: kind, key: "a", value: [1])) }
        #expect(try surroundings.store.read { try $0.find(kind, "a")?.value } == [1])
        surroundings.journal.record(JournalEntry(.note, "hello"))
        #expect(try fixture.text(home.layout.logs + "/\(manifest.id).jsonl").contains("hello"))

        await open.close()
        await open.close()
        #expect(try await isGone(daemon))
        #expect(access(home.layout.run + "/bus.json", F_OK) != 0)
        for (name, mode) in try fixture.modes(under: home.path) { #expect(mode & 0o077 == 0, "\(name)") }
    }

    @Test func `apps of one home meet on one bus, which ends with the last of them`() async throws {
        let home = try await fixture.make()
        var open: [OpenSurroundings] = []
        for id in ["com.example.notes", "com.example.mail"] {
            let manifest = try HomeFixture.client(id)
            _ = try await fixture.enrol(manifest, in: home)
            open.append(try await LinuxSurroundings.open(home, manifest: manifest, request))
        }
        #expect(open[0].bus.address == open[1].bus.address)
        let heard = Promise<Delivery>()
        let registration = try await open[1].bus.register("com.example.mail") { heard.fulfil($0) }
        try await open[0].bus.open("example-mail://hello", at: "com.example.mail", startIfNeeded: false)
        #expect(try await heard.value().content == .open(url: "example-mail://hello"))
        let daemon = try daemonOfBus(home)
        await open[0].close()
        #expect(kill(daemon, 0) == 0)
        await registration.withdraw()
        await open[1].close()
        #expect(try await isGone(daemon))
    }

    @Test func `an app that is not enrolled is refused with the command that enrols it`() async throws {
        let home = try await fixture.make()
        let fault = #expect(throws: Fault.self) { try home.manifest(of: "com.example.notes") }
        #expect(fault?.code == .appMissing)
        #expect(
            fault?.nextStep == "Enrol it with: countersign-idp apps add com.example.notes --scheme com.example.notes")
        await #expect(throws: Fault(.appMissing)) {
            try await LinuxSurroundings.make(home: home.path, app: "com.example.notes")
        }
        await #expect(throws: Fault(.homeMissing)) {
            try await LinuxSurroundings.make(home: fixture.root + "/none", app: "com.example.notes")
        }
    }

    @Test func `a group is reached by its members, with the list of the provider that is pinned`() async throws {
        let home = try await fixture.make()
        let idpManifest = AppManifest(
            id: "org.countersign.idp", displayName: "Countersign", role: .identityProvider, groups: ["handoff"])
        let idpKeys = try await fixture.enrol(idpManifest, in: home)
        let manifest = try HomeFixture.client(groups: ["handoff"], trusting: idpKeys)
        let keys = try await fixture.enrol(manifest, in: home)
        let idp = try await LinuxSurroundings.open(home, manifest: idpManifest, request)
        let app = try await LinuxSurroundings.open(home, manifest: manifest, request)
        let now = fixture.environment.now()
        let item = SharedSecret(
            name: "slot", owner: manifest.id, expires: now + .seconds(60), value: Secret([1, 2, 3]))
        // A manifest only asks: there is no group before the provider has made it.
        let asked = try #require(app.surroundings.groups["handoff"])
        await #expect(throws: Fault(.notGroupMember)) { try await asked.take("slot", now: now) }

        let keeper = try SharedSecretGroupKeeper(
            directory: home.layout.group("handoff"), group: "handoff", app: idpManifest.id, signingKey: idpKeys.command,
            decryptionKey: idpKeys.encryption, environment: fixture.environment)
        try await keeper.update(members: [manifest.id: keys.encryption.encryptionKey])
        try await idp.group("handoff").put(item)
        #expect(try await asked.take("slot", now: now) == item)
        #expect(try await asked.take("slot", now: now) == nil)

        // One that pins another provider does not believe the list.
        let stranger = try HomeFixture.client("com.example.mail", groups: ["handoff"])
        _ = try await fixture.enrol(stranger, in: home)
        let other = try await LinuxSurroundings.open(home, manifest: stranger, request)
        await #expect(throws: Fault(.groupListRefused)) { try await other.group("handoff").take("slot", now: now) }
        for open in [other, app, idp] { await open.close() }
    }

    @Test func `an embedding app gets surroundings by its id, and leaves the bus by stopping it`() async throws {
        let home = try await fixture.make()
        let manifest = try HomeFixture.client()
        _ = try await fixture.enrol(manifest, in: home)
        let surroundings = try await LinuxSurroundings.make(
            home: home.path, app: manifest.id, options: SurroundingsOptions(bus: "private", noInput: true))
        #expect(surroundings.manifest == manifest)
        let daemon = try daemonOfBus(home)
        #expect(kill(daemon, 0) == 0)
        await surroundings.bus.stop()
        #expect(try await isGone(daemon))
    }

    @Test func `options are read before anything is opened`() async throws {
        #expect(throws: Fault(.busUnavailable)) {
            try SurroundingsRequest(SurroundingsOptions(bus: "tram"), variables: [:])
        }
        #expect(throws: Fault(.promptUnknown)) {
            try SurroundingsRequest(SurroundingsOptions(prompt: "telepathy"), variables: [:])
        }
        let request = try SurroundingsRequest(
            SurroundingsOptions(bus: "private", prompt: "script:idp", noInput: true, keeper: ["/usr/bin/true"]),
            variables: [:])
        #expect(request.bus == .private)
        #expect(request.prompt == .script(["idp"]))
        #expect(request.dialogue == nil)
        #expect(try SurroundingsRequest(SurroundingsOptions(noInput: true), variables: [:]).dialogue is NoDialogue)
    }

    @Test func `a bus that cannot be had leaves nothing open`() async throws {
        let home = try await fixture.make()
        let manifest = try HomeFixture.client()
        _ = try await fixture.enrol(manifest, in: home)
        var request = request
        request.bus = .address("unix:path=\(fixture.root)/nobody")
        await #expect(throws: Fault(.busUnavailable)) {
            try await LinuxSurroundings.open(home, manifest: manifest, request)
        }
        let open = try await LinuxSurroundings.open(home, manifest: manifest, self.request)
        await open.close()
    }

    @Test func `the death switch kills at its boundary`() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let hook = DeathSwitch.hook(variables: ["COUNTERSIGN_DIE_AT": "flow-persisted"])
            await hook(Boundary("flow-persisted"))
        }
    }

    @Test func `the death switch spares every other boundary`() async {
        await #expect(processExitsWith: .success) {
            let hook = DeathSwitch.hook(variables: ["COUNTERSIGN_DIE_AT": "flow-persisted"])
            await hook(Boundary("code-redeemed"))
            let unset = DeathSwitch.hook(variables: [:])
            await unset(Boundary("flow-persisted"))
        }
    }

    private func daemonOfBus(_ home: Home) throws -> pid_t {
        let json = try JSONValue(parsing: fixture.text(home.layout.run + "/bus.json"))
        return try pid_t(#require(json["daemon"]?["pid"]?.integerValue))
    }

    /// Whether the process has ended; it may take a moment to be collected.
    private func isGone(_ process: pid_t) async throws -> Bool {
        try await becomesTrue { kill(process, 0) != 0 }
    }
}
