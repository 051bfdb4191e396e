import Basics
import Platform
import Testing

@testable import HandoffLab

@Suite struct `The causal order of log lines` {
    private let client = "com.example.notes"
    private let idp = "org.countersign.idp"

    private func line(
        _ app: String, _ milliseconds: Int64, _ sequence: Int64, _ kind: JournalEntry.Kind,
        _ fields: [String: JSONValue] = [:], process: Int64 = 1
    ) -> TraceEntry {
        TraceEntry(
            app: app, time: Timestamp(microseconds: milliseconds * 1_000), process: process, sequence: sequence,
            kind: kind,
            flow: "f", message: "\(app) \(sequence)", fields: fields)
    }

    private func order(_ entries: [TraceEntry]) -> [String] {
        CausalOrder.sorted(entries).map { $0.entry.message + ($0.isBeginning ? " begins" : "") }
    }

    @Test func `a command is sent before it is taken, also where the receiver's clock is behind`() {
        let sent = line(client, 1_000, 1, .sent, ["jti": "a"])
        let taken = line(idp, 400, 1, .received, ["jti": "a"])
        let answer = line(idp, 401, 2, .sent, ["jti": "b"])
        let end = line(client, 1_002, 2, .received, ["jti": "b"])
        let wanted = [sent, taken, answer, end].map(\.message)
        // Whatever order the lines are read in.
        #expect(order([sent, taken, answer, end]) == wanted)
        #expect(order([end, answer, taken, sent]) == wanted)
        // With another command nothing but time is left.
        #expect(order([sent, line(idp, 400, 1, .received, ["jti": "other"])]).first == "\(idp) 1")
    }

    @Test func `what one process wrote keeps its order, and another process of the same app goes by time`() {
        let first = line(client, 50, 1, .note)
        let second = line(client, 10, 2, .note)
        #expect(order([second, first]) == [first.message, second.message])
        let other = line(client, 20, 2, .decided, process: 2)
        #expect(order([first, other]) == [other.message, first.message])
    }

    @Test func `what the provider wrote of a request stands between its beginning and its end`() {
        let request = line(client, 20, 5, .http, ["span": "s", "microseconds": 9_000])
        let before = line(client, 11, 4, .note)
        let issued = line("provider", 900, 1, .decided, ["span": "s"])
        let served = line("provider", 901, 2, .served, ["span": "s"])
        #expect(
            order([served, request, issued, before]) == [
                before.message, "\(request.message) begins", issued.message, served.message, request.message,
            ])
    }

    @Test func `lines that contradict each other are all there, by time`() {
        let one = line(client, 1, 1, .received, ["jti": "b"])
        let two = line(client, 2, 2, .sent, ["jti": "a"])
        let three = line(idp, 3, 1, .received, ["jti": "a"])
        let four = line(idp, 4, 2, .sent, ["jti": "b"])
        #expect(order([four, three, two, one]) == [one, two, three, four].map(\.message))
    }
}
