import Basics
import CommandLineInterface
import FoundationEssentials
import LinuxPlatform
import Platform
import Testing

@testable import LabTool

/// `countersign explain` on commands of a real home.
@Suite(.serialized) struct ExplainTests {
    private func explain(_ home: LabHome, _ url: String, _ more: String...) async throws -> Finished {
        try await home.run(.lab, ["explain", "-"] + more, input: url)
    }

    private func withInvitation(_ body: (LabHome, _ url: String) async throws -> Void) async throws {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            let url = try await home.idp("open", LabHome.clientID, "--print").expect(0).text
            await idp.stopped().expect(143)
            try await body(home, url)
        }
    }

    private func results(_ json: JSONValue) -> [String: String] {
        (json["checks"]?.arrayValue ?? []).reduce(into: [:]) { results, check in
            results[check["rule"]?.stringValue ?? "?"] = check["result"]?.stringValue
        }
    }

    /// Every row of every store of the home, and the bytes of the stores' files.
    private func contents(of home: LabHome) throws -> [String: String] {
        var all: [String: String] = [:]
        let files = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        for name in files where name.hasSuffix(".sqlite") {
            let path = home.path + "/" + name
            all[name] = FileManager.default.contents(atPath: path).map { $0.base64EncodedString() }
            all[name + " rows"] = try ReadOnlyStore(path: path)?.read { snapshot in
                try [
                    "flow", "broker.flow", "replay-mark", "broker.replay-mark", "broker.app", "account",
                    "provider.code",
                ]
                .map { kind in
                    try snapshot.list(RecordKind(kind)).map { "\($0.key) \($0.value)" }.joined(separator: "\n")
                }.joined(separator: "\n--\n")
            }
        }
        for name in files where name.hasPrefix("log/") {
            all[name] = FileManager.default.contents(atPath: home.path + "/" + name).map { $0.base64EncodedString() }
        }
        return all
    }

    @Test func `says that a fresh invitation would be taken, masks whom it names, and changes nothing`() async throws {
        try await withInvitation { home, url in
            let before = try contents(of: home)
            #expect(before.count >= 6)
            let ended = try await explain(home, url, "--json").expect(0)
            let json = try ended.json()
            #expect(json["accepted"] == true && json["proven"] == true)
            #expect(json["command"] == "idpinit")
            #expect(json["receiver"]?.stringValue == LabHome.clientID)
            #expect(json["claims"]?["iss"]?.stringValue == LabHome.idpID)
            #expect(json["claims"]?["user_hint"] == "••••")
            #expect(json["flow"]?.stringValue?.count == 36)
            #expect(results(json).values.allSatisfy { $0 == "ok" })
            #expect(results(json).keys.contains("correlation") && results(json).keys.contains("replay"))
            let text = try await explain(home, url).expect(0)
            #expect(text.text.contains("It would be taken."))
            #expect(text.output.allSatisfy { $0.count <= 80 }, "\(text.text)")
            let shown = try await explain(home, url, "--unsafe-secrets", "--json").expect(0).json()
            #expect(shown["claims"]?["user_hint"]?["sub"]?.stringValue?.isEmpty == false)
            #expect(try contents(of: home) == before)
            // It is as good as before: taken now, and refused as a replay from then on.
            let idp = try await home.serve(.idp, prompt: "script:allow")
            try await home.client("handle", url, "--prompt", "script:switch").expect(0)
            let again = try await explain(home, url, "--json").expect(4).json()
            #expect(again["accepted"] == false)
            #expect(again["rule"] == "replay" && again["code"] == "command-replayed")
            #expect(results(again)["correlation"] == "not reached")
            await idp.stopped().expect(143)
        }
    }

    @Test func `names the rule that refuses, and says what is not proved`() async throws {
        try await withInvitation { home, url in
            let forger = try await ForgedCommand(in: home)
            let forged = try await explain(home, try forger.signedByStranger(claimingPinnedKey: true), "--json").expect(
                4
            )
            .json()
            #expect(forged["rule"] == "signature" && forged["code"] == "command-signature")
            #expect(forged["proven"] == false)
            let text = try await explain(home, try forger.signedByStranger(claimingPinnedKey: true)).expect(4)
            #expect(text.text.contains("nobody has proved"))
            #expect(text.text.contains("refused      signature [command-signature]"))
            let broken = try await explain(home, url.dropLast(6) + "AAAAAA", "--json").expect(4).json()
            #expect(broken["rule"] == "decryption" && broken["claims"] == nil)
            let other = try await explain(
                home, url.replacing(LabHome.clientID + ":", with: "com.example.other:"), "--json"
            )
            .expect(4).json()
            #expect(other["rule"] == "scheme")
        }
    }

    @Test func `what is no command, and what is no code, is said to be neither`() async throws {
        try await withInvitation { home, url in
            try await explain(home, "https://example.com/?command=abc").expect(3, "not-a-command")
            try await explain(home, url.replacing("/v1.0/", with: "/v2.0/")).expect(3)
            let typo = try await home.run(.lab, ["explain", "command-replyed"]).expect(3, "not-a-command")
            #expect(typo.nextStep?.contains("countersign explain command-replayed") == true)
        }
    }

    @Test func `an error code has its page, in whatever form it was copied`() async throws {
        try await withLabHome(users: []) { home in
            for code in ErrorReference.codes {
                for form in [code.name, "error[\(code.name)]"].prefix(code == .cancelled ? 2 : 1) {
                    let page = try await home.run(.lab, ["explain", form, "--json"]).expect(0).json()
                    #expect(page["text"]?.stringValue == code.meaning)
                    #expect(page["nextStep"]?.stringValue == code.nextStep)
                }
                if code.name > "c" { break }
            }
        }
    }
}
