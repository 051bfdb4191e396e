import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `A command of another home` {
    @Test(.rule("S1", "S3")) func `is undecryptable where it is personal, and else signed by an unknown key`() throws {
        try simulate { home in
            let tap = Tap()
            try await commands(of: home, tap)
            let captured = CommandName.allCases.filter { $0 != .logout && $0 != .logoutack }
            #expect(Set(tap.names).isSuperset(of: captured), "every command was captured")

            // The same apps by name, with keys of their own.
            let other = try await LabWorld(try WorldPlan.usual(), environment: home.environment)
            let broker = try await other.runBroker(dialogue: Script.allowing("alice"))
            let client = try await other.runClient(dialogue: Script.choosing(["switch"]))
            for name in captured {
                let url = try #require(tap.urls(name).first)
                let receiver = url.hasPrefix("\(notes):") ? notes : idp
                let before = other.refusals(of: receiver).count
                // A sender of its own each, so that nobody is dropped unread.
                try await other.bus.connect().open(url, at: receiver, startIfNeeded: false)
                try await home.environment.sleep(for: .seconds(1))
                let code = name.isPersonal ? "undecryptable" : "unknown-key"
                #expect(other.refusals(of: receiver).dropFirst(before) == [code], "\(name.rawValue)")
            }
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(try other.app(notes).store.read { try $0.list(RecordKind("flow")) }.isEmpty)
            #expect(try other.count("broker.flow") == 0)
            // Its own are taken.
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            await broker.stop()
            await other.stop()
        }
    }

    /// Has a home say everything there is to say: logins of each kind, a refusal, and something given up.
    private func commands(of home: LabWorld, _ tap: Tap) async throws {
        let broker = try await home.runBroker(dialogue: Script.allowing("alice")) {
            $0.bus = tap.listening(on: $0.bus)
        }
        let client = try await home.runClient(dialogue: Script.choosing(["switch"])) {
            $0.bus = tap.listening(on: $0.bus)
        }
        _ = try await client.role.login(.handOff())
        #expect(try await home.invite(broker.role, as: "bob") == .loggedIn)
        #expect(try await home.invite(broker.role, as: "alice", usesKeychain: true) == .switched)
        #expect(await failure { try await client.role.login(.handOff(hint: "mallory")) }?.code == .loginRequired)
        await broker.stop()
        let silent = SilentDialogue()
        let patient = try await home.runBroker(dialogue: silent) { $0.bus = tap.listening(on: $0.bus) }
        let login = client.spawn("login") { try await $0.login(.handOff(hint: "mallory")) }
        _ = try await silent.asked.value()
        login.cancel()
        _ = await login.result
        try await home.environment.sleep(for: .seconds(1))
        await client.stop()
        await patient.stop()
    }
}
