import Basics
import FoundationEssentials
import Glibc
import Platform
import TestSupport
import Testing

/// What anyone on the bus may do, and what they learn by it: nothing.
@Suite(.serialized) struct HostileBusTests {
    @Test(.rule("B1")) func `the answers of Open to a thousand changed URLs are one and the same`() async throws {
        try await withLabHome(users: ["alice", "bob"]) { home in
            _ = try await home.serve(.idp, prompt: "script:allow")
            for user in ["alice", "bob"] { try await home.signIn(user) }
            let client = try await home.serve(.client, prompt: "script:switch")
            try await home.client("login", "--via", "idp", "--user-hint", "alice").expect(0)
            let url = try await home.idp("open", LabHome.clientID, "--user", "bob", "--print").expect(0).text
            let bus = try await RawBus(try await home.bus(of: client))
            var changes = URLChanges(url, seed: 1)
            var answers: [RawMessage] = []
            for number in 0..<1_000 {
                let changed = changes.next(number)
                var answer = try await bus.answer(to: try await bus.open(changed, at: LabHome.clientID))
                // Which call it answers is all that may differ.
                answer.replySerial = nil
                answers.append(answer)
            }
            #expect(answers.count == 1_000)
            #expect(answers.first == RawMessage.emptyReturn)
            #expect(Set(answers.map { "\($0)" }).count == 1)
            #expect(try await home.currentUser() == "alice")
            // The neighbour: the URL as it was, from somebody who is still read.
            let other = try await RawBus(try await home.bus(of: client))
            let answer = try await other.answer(to: try await other.open(url, at: LabHome.clientID))
            #expect(answer.type == RawMessage.methodReturn && answer.body.isEmpty)
            try await eventually("bob is current") { try await home.currentUser() == "bob" ? true : nil }
        }
    }

    @Test(.rule("B2", "S21")) func `ten thousand worthless messages on the bus do not keep a login from its end`()
        async throws
    {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            let client = try await home.serve(.client, prompt: "script:switch")
            let address = try await home.bus(of: client)
            let login = try await home.start(
                .client, ["login", "--via", "idp", "--json", "--timeout", "120s"])
            async let finished = login.ended(within: .seconds(130))
            let bus = try await RawBus(address)
            var sent = 0
            // About a second's worth, while the login is under way.
            while sent < 10_000 {
                for _ in 0..<100 {
                    let app = sent.isMultiple(of: 2) ? LabHome.idpID : LabHome.clientID
                    try await bus.open(Self.junk(sent, at: app), at: app, expectsReply: false)
                    sent += 1
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            let result = try await finished.expect(0).json()
            #expect(result["account"]?["username"] == "alice")
            // Both apps are there, and serve the next as the first.
            try await home.client("login", "--via", "idp").expect(0)
            await client.stopped().expect(143)
            await idp.stopped().expect(143)
        }
    }

    /// Rubbish, near misses, and tokens that are none.
    private static func junk(_ number: Int, at app: String) -> String {
        switch number % 5 {
        case 0: "rubbish \(number)"
        case 1: "\(app)://oauth2/v1.0/cancel?command=a.b.c"
        case 2: "\(app)://oauth2/v1.0/authresponse?command=\(String(repeating: "A", count: number % 900))"
        case 3: "\(app)://oauth2/v9.9/ping?command=e30.e30.AA"
        default: "\(app)://oauth2/v1.0/ping?command=e30.e30.AA"
        }
    }

    @Test(.rule("A186")) func `a client that is killed before its answer leaves an identity provider app that goes on`()
        async throws
    {
        try await withLabHome { home in
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#])
            let idp = try await home.serve(.idp, prompt: prompt.option)
            try await home.signIn("alice")
            try prompt.setSilent(true)
            let login = try await home.start(.client, ["login", "--via", "idp", "--timeout", "20s"])
            try await eventually("the person is asked") { try prompt.count(of: .consent) > 0 ? true : nil }
            login.signal(SIGKILL)
            #expect(await login.ended().code == -1)
            try prompt.setSilent(false)
            // The flow of the dead one still waits for its answer; another login has one of its own.
            try await home.client("login", "--via", "idp", "--timeout", "90s").expect(0)
            await idp.stopped().expect(143)
        }
    }
}

extension RawMessage {
    /// A method return with nothing in it.
    fileprivate static var emptyReturn: RawMessage {
        RawMessage(
            RawMessage.call("x", of: "y", at: "z", path: "/", signature: "", body: [], serial: 1).enumerated().map {
                $0.offset == 1 ? methodReturn : $0.element
            })
    }
}

/// One URL, changed in every way that a string on the bus can be.
private struct URLChanges {
    private let url: [UInt8]
    private var state: UInt64

    init(_ url: String, seed: UInt64) {
        self.url = Array(url.utf8)
        state = seed
    }

    private mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func next(_ round: Int) -> String {
        var bytes = url
        let place = number(below: bytes.count)
        switch round % 6 {
        case 0:
            let old = bytes[place]
            bytes[place] = UInt8(0x21 + number(below: 0x5E))
            if bytes[place] == old { bytes[place] = old == 0x41 ? 0x42 : 0x41 }
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(UInt8(0x21 + number(below: 0x5E)), at: place)
        case 3: bytes.remove(at: place)
        case 4: bytes.insert(contentsOf: Array("é\u{202E}🦊".utf8), at: bytes.startIndex + number(below: 20))
        default: bytes += Array("&command=\(round)".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
