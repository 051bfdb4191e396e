import Basics
import Handoff
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `An app's place on the bus` {
    private typealias Got = Collected<Result<IncomingCommand?, any Error>>

    private static func transports(_ got: Got) -> [Transport?] { got.all.map { (try? $0.get())??.transport } }

    private static func codes(_ got: Got) -> [ErrorCode?] {
        got.all.map { result in
            if case .failure(let error) = result { (error as? any CodedError)?.code } else { nil }
        }
    }

    @Test func `takes a command as direct from the sender's own name, and as opened from any other`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp) { got.note($0) }
            let client = try await pair.startEndpoint(pair.client)
            try await client.send(.cancel, to: try pair.idp.peer, flow: try FlowID(Pair.flow))
            let url = try pair.client.seal(
                .cancel, to: pair.idp, flow: try FlowID(Pair.flow), number: 9, now: environment.now()
            ).url
            try await pair.bus.connect(executable: "/usr/bin/browser").open(url, at: pair.idp.id, startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            // The ping that came before the first ends in the endpoint.
            #expect(Self.transports(got) == [nil, .direct, .opener])
            #expect(try await idp.accept(url, from: nil)?.transport == .opener)
            await client.withdraw()
            await idp.withdraw()
        }
    }

    @Test func `refuses what was opened where the sender is registered for direct delivery alone`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp, directOnly: true) { got.note($0) }
            let client = try await pair.startEndpoint(pair.client)
            try await client.send(.cancel, to: try pair.idp.peer, flow: try FlowID(Pair.flow))
            let url = try pair.client.seal(
                .cancel, to: pair.idp, flow: try FlowID(Pair.flow), number: 9, now: environment.now()
            ).url
            try await pair.bus.connect().open(url, at: pair.idp.id, startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got) == [nil, nil, .deliveryRule])
            await client.withdraw()
            await idp.withdraw()
        }
    }

    @Test(.rule("S20", "A185")) func `refuses another user of the machine, whoever signed`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp) { got.note($0) }
            let url = try pair.client.seal(
                .cancel, to: pair.idp, flow: try FlowID(Pair.flow), now: environment.now()
            ).url
            for user in [UInt32(1001), 0, 1000] {
                try await pair.bus.connect(userID: user).open(url, at: pair.idp.id, startIfNeeded: false)
                try await environment.sleep(for: .seconds(1))
            }
            #expect(Self.codes(got) == [.foreignUser, .foreignUser, nil])
            // A sender whose user the bus cannot tell is no better.
            let nobody = PeerEvidence(uniqueName: ":1.99", userID: nil)
            await #expect(throws: Fault(.foreignUser)) { try await idp.accept(url, from: nobody) }
            await idp.withdraw()
        }
    }

    @Test(.rule("S20")) func `refuses a process that is not the one in the registry, as evidence that can only refuse`()
        throws
    {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp, executable: "/opt/notes") { got.note($0) }
            for executable in ["/tmp/evil", "/opt/notes"] {
                let connection = pair.bus.connect(executable: executable)
                let registration = try await connection.register(pair.client.id) { _ in }
                let url = try pair.client.seal(
                    .cancel, to: pair.idp, flow: try FlowID(Pair.flow), now: environment.now()
                ).url
                try await connection.open(url, at: pair.idp.id, startIfNeeded: false)
                try await environment.sleep(for: .seconds(1))
                await registration.withdraw()
            }
            #expect(Self.codes(got) == [.processMismatch, nil])
            // The right executable grants nothing to who cannot sign.
            let stranger = try Party(pair.client.id, .client)
            let connection = pair.bus.connect(executable: "/opt/notes")
            let forged = try stranger.seal(
                .cancel, to: pair.idp, flow: try FlowID(Pair.flow), now: environment.now()
            ).url
            try await connection.open(forged, at: pair.idp.id, startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got).last == .unknownKey)
            await idp.withdraw()
        }
    }

    @Test(.rule("S21"))
    func `reads no more from a bus name that sent twenty refused commands, until ten seconds later`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp) { got.note($0) }
            let noise = "\(pair.idp.scheme)://oauth2/v1.0/cancel?command=a.b.c"
            let sender = pair.bus.connect()
            for _ in 1...25 { try await sender.open(noise, at: pair.idp.id, startIfNeeded: false) }
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got).count { $0 == .commandMalformed } == 20)
            #expect(Self.codes(got).count { $0 == nil } == 5)
            #expect(pair.journal.entries.count { $0.kind == .refused } == 20)
            try await environment.sleep(for: .seconds(10))
            try await sender.open(noise, at: pair.idp.id, startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got).last == .commandMalformed)
            await idp.withdraw()
        }
    }

    @Test(.rule("A189")) func `finds a peer present by a signed answer to a ping, once in the life of its bus name`()
        throws
    {
        try simulate { environment in
            let pair = try Pair(environment)
            let got = Got()
            let idp = try await pair.startEndpoint(pair.idp) { got.note($0) }
            let client = try await pair.startEndpoint(pair.client)
            let first = try await client.ensurePresence(of: try pair.idp.peer)
            #expect(try await client.ensurePresence(of: try pair.idp.peer) == first)
            #expect(got.all.count == 1)
            await idp.withdraw()
            await #expect(throws: Fault(.peerNotRunning)) { try await client.ensurePresence(of: try pair.idp.peer) }
            let next = try await pair.startEndpoint(pair.idp)
            #expect(try await client.ensurePresence(of: try pair.idp.peer) != first)
            await client.withdraw()
            await next.withdraw()
        }
    }

    @Test func `takes no peer for present that owns the name and cannot answer a ping`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let squatter = try await pair.bus.connect().register(pair.idp.id) { _ in }
            let client = try await pair.startEndpoint(pair.client)
            await #expect(throws: Fault(.deadlinePassed)) { try await client.ensurePresence(of: try pair.idp.peer) }
            await squatter.withdraw()
            let idp = try await pair.startEndpoint(pair.idp)
            _ = try await client.ensurePresence(of: try pair.idp.peer)
            await idp.withdraw()
            await client.withdraw()
        }
    }

    @Test func `has the bus start a peer only when it is told to`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let started = Promise<CommandEndpoint>()
            pair.bus.install(pair.idp.id) { started.fulfil(try await pair.startEndpoint(pair.idp)) }
            let client = try await pair.startEndpoint(pair.client)
            await #expect(throws: Fault(.peerNotRunning)) { try await client.ensurePresence(of: try pair.idp.peer) }
            #expect(started.outcome == nil)
            _ = try await client.ensurePresence(of: try pair.idp.peer, startsIt: true)
            await client.withdraw()
            try await started.value().withdraw()
        }
    }

    @Test(.rule("A191")) func `gives up a peer that is started and never there`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            pair.bus.install(pair.idp.id) { try await environment.sleep(for: .seconds(3_600)) }
            let client = try await pair.startEndpoint(pair.client)
            let start = environment.now()
            await #expect(throws: Fault(.deadlinePassed)) {
                try await client.ensurePresence(of: try pair.idp.peer, startsIt: true, within: .seconds(10))
            }
            #expect(environment.now() - start == .seconds(10))
            await client.withdraw()
        }
    }

    @Test func `says at once that a peer is not running and not installed, and that one could not be started`() throws {
        struct NoProgram: Error {}
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startEndpoint(pair.client)
            let start = environment.now()
            let peer = try pair.idp.peer
            let absent = await #expect(throws: Fault(.peerNotRunning)) {
                try await client.ensurePresence(of: peer, startsIt: true)
            }
            #expect(absent?.text.hasSuffix("is not running on this bus, and not installed for activation.") == true)
            let left = await #expect(throws: Fault(.peerNotRunning)) { try await client.ensurePresence(of: peer) }
            #expect(left?.text.hasSuffix("is not running on this bus.") == true)
            pair.bus.install(pair.idp.id) { throw NoProgram() }
            let broken = await #expect(throws: Fault.self) {
                try await client.ensurePresence(of: peer, startsIt: true)
            }
            #expect(broken?.code == .peerNotStarted)
            #expect(broken?.nextStep.contains("countersign-idp serve") == true)
            #expect(environment.now() == start)
            await client.withdraw()
        }
    }

    @Test(.rule("A193")) func `a peer that answers with another version is named with both, and waits for no deadline`()
        throws
    {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startEndpoint(pair.client)
            let version = Collected<String>()
            // What an identity provider app of another version would answer.
            let connection = pair.bus.connect()
            let other = try await connection.register(pair.idp.id) { delivery in
                guard case .open(let url) = delivery.content, let sender = delivery.sender else { return }
                let peer = try? pair.client.peer
                let ping = try? CommandReceiver(
                    id: AppID(pair.idp.id), role: .identityProvider, schemes: [pair.idp.scheme],
                    decryptionKeys: [pair.idp.keys.encryption]
                ).verify(url, now: environment.now()) { _ in peer }
                guard let ping, case .ping(let question) = ping.command else { return }
                let pong = Pong(nonce: question.nonce, version: version.all.last ?? "", encryptionKeyID: "x")
                let answer = try? pair.idp.seal(
                    .pong(pong), to: pair.client, flow: ping.flow, inReplyTo: ping.id,
                    number: UInt8(version.all.count), now: environment.now())
                try? await connection.open(answer?.url ?? "", at: sender.uniqueName, startIfNeeded: false)
            }
            let start = environment.now()
            for odd in ["v2.0", "v1.00", "v1"] {
                version.note(odd)
                do {
                    _ = try await client.ensurePresence(of: try pair.idp.peer)
                    Issue.record("\(odd) was taken")
                } catch let fault as Fault {
                    #expect(fault.code == .protocolVersion)
                    for word in [pair.idp.id, odd, "v1.0"] { #expect(fault.text.contains(word), "\(fault.text)") }
                }
            }
            version.note("v1.0")
            #expect(try await client.ensurePresence(of: try pair.idp.peer) == other.uniqueName)
            #expect(environment.now() == start)
            await other.withdraw()
            await client.withdraw()
        }
    }

    @Test(.rule("A193")) func `leaves a URL of another version alone, and its journal names both versions`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let idp = try await pair.startEndpoint(pair.idp)
            let start = "\(pair.idp.scheme)://oauth2/"
            #expect(try await idp.accept(start + "v2.0/authrequest?command=secret.secret", from: nil) == nil)
            let entry = try #require(pair.journal.entries.last)
            #expect(entry.message == "a URL of protocol v2.0 was left alone; this app speaks v1.0")
            #expect(entry.code == ErrorCode.protocolVersion.name)
            #expect(entry.fields == ["version": "v2.0", "spoken": "v1.0"])
            // Nothing else of a URL that is not ours is written down.
            for odd in ["version2/x", "v2.0secret/x", "v123456789/x", "v1.0/dance?command=x", "v/x", "v2.\u{664}/x"] {
                #expect(try await idp.accept(start + odd, from: nil) == nil)
                #expect(pair.journal.entries.last?.message == "a URL that is no command for this app was left alone")
            }
            await idp.withdraw()
        }
    }

    @Test func `names nothing of a command in its journal before the signature holds`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let idp = try await pair.startEndpoint(pair.idp)
            let stranger = try Party("org.example.stranger", .client)
            let url = try stranger.seal(
                .cancel, to: pair.idp, flow: try FlowID(Pair.flow), now: environment.now()
            ).url
            await #expect(throws: Fault(.unknownSender)) { try await idp.accept(url, from: nil) }
            #expect(pair.journal.entries.map(\.kind) == [.refused])
            #expect(!pair.journal.transcript.contains("stranger"))
            #expect(!pair.journal.transcript.contains(Pair.flow))
            await idp.withdraw()
        }
    }
}
