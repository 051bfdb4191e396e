import Basics
import Platform
import Testing

@testable import HandoffLab

@Suite struct `A trace in words` {
    private let flow = "3abacd78-c440-4d88-a16d-a1ae6e591107"

    private func entry(
        _ app: String, _ microseconds: Int64, _ kind: JournalEntry.Kind, _ fields: [String: JSONValue],
        _ message: String = "", code: String? = nil
    ) -> TraceEntry {
        TraceEntry(
            app: app, time: Timestamp(microseconds: 1_767_258_000_000_000 + microseconds), process: 1,
            sequence: microseconds, kind: kind, flow: flow, message: message, code: code, fields: fields)
    }

    private var log: TraceLog {
        let (client, idp) = ("com.example.notes", "org.countersign.idp")
        func command(_ name: String, _ from: String, _ to: String, _ id: String) -> [String: JSONValue] {
            [
                "command": .string(name), "from": .string(from), "to": .string(to), "jti": .string(id),
                "transport": "direct",
            ]
        }
        return TraceLog([
            entry(client, 0, .sent, command("authrequest", client, idp, "1")),
            entry(idp, 310, .received, command("authrequest", client, idp, "1")),
            entry(
                idp, 900, .http,
                ["method": "POST", "path": "/authorize-challenge", "status": 200, "microseconds": 500, "span": "s"]),
            entry(idp, 1_020, .sent, command("authresponse", idp, client, "2")),
            entry(
                client, 1_300, .refused, command("authresponse", idp, client, "2"),
                "The answer's state is not the one that was sent.", code: "answer-state-mismatch"),
            entry(client, 2_000_000, .decided, ["outcome": "timed out"], "ended: timed out; next"),
        ])
    }

    @Test func `has a line for each message, and why one was refused`() throws {
        #expect(
            try log.find("3ab").lines().joined(separator: "\n") == """
                flow 3abacd78-c440-4d88-a16d-a1ae6e591107, client-initiated
                begun 2026-01-01 09:00:00.000Z, timed out after 2.00 s
                notes is com.example.notes
                idp is org.countersign.idp

                    0.0 ms  notes → idp     authrequest                taken, direct
                    0.4 ms  idp → provider  POST /authorize-challenge  200
                    1.0 ms  idp → notes     authresponse
                                              refused [answer-state-mismatch]
                                              The answer's state is not the one that was sent.
                    2.00 s  notes           · ended: timed out; next
                """)
    }

    @Test func `fits into 80 columns, and colour changes no word`() throws {
        for kind in HandoffKind.allCases {
            for trace in try LabWorld.journal(flow: kind, seed: 3).traceLog.flows {
                #expect(trace.lines().allSatisfy { $0.count <= 80 }, "\(trace.lines().filter { $0.count > 80 })")
                let coloured = trace.lines { text, emphasis in "<\(emphasis)>\(text)</>" }
                let plain = coloured.map { $0.replacing(/<[a-z]+>|<\/>/, with: "") }
                #expect(plain.map { $0.filter { $0 != " " } } == trace.lines().map { $0.filter { $0 != " " } })
            }
        }
    }

    @Test func `is a Mermaid diagram whose texts cannot leave their place`() throws {
        let lines = try log.find("3ab").mermaid.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "sequenceDiagram", "    participant p1 as notes", "    participant p2 as idp",
                "    participant p3 as provider", "    p1->>p2: authrequest (0.0 ms, taken, direct)",
                "    p2->>+p3: POST /authorize-challenge (0.4 ms)", "    p3-->>-p2: 200",
                "    p2-xp1: authresponse (1.0 ms, refused [answer-state-mismatch])",
                "    Note over p1: ended: timed out#59; next",
            ])
        #expect(Mermaid.escaped("a;b#c\nd<br>\"%%") == "a#59;b#35;c#10;d#60;br#62;#34;#37;#37;")
        #expect(Mermaid.escaped("Łódź 日本 /a-b") == "Łódź 日本 /a-b")
    }

    @Test func `names apps by as few parts of their ids as tell them apart`() {
        let names = ShortNames(["com.example.notes", "org.other.notes", "org.countersign.idp", "provider"])
        #expect(names["com.example.notes"] == "example.notes")
        #expect(names["org.other.notes"] == "other.notes")
        #expect(names["org.countersign.idp"] == "idp")
        #expect(names["provider"] == "provider")
    }

    @Test func `tells times as people read them`() {
        let times: [(Int64, String)] = [
            (0, "0.0 ms"), (310, "0.3 ms"), (31_250, "31.2 ms"), (999_999, "999.9 ms"), (1_000_000, "1.00 s"),
            (2_815_000, "2.81 s"), (59_999_999, "59.99 s"), (65_000_000, "65 s"),
        ]
        for (microseconds, text) in times { #expect(Duration.microseconds(microseconds).shown == text) }
    }
}
