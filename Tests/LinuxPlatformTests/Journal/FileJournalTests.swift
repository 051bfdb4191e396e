import Basics
import Glibc
import LinuxPlatform
import Platform
import Testing

@Suite(.timeLimit(.minutes(2)))
struct FileJournalTests {
    private let folder: StorageFolder

    init() throws { folder = try StorageFolder() }

    private func journal(_ rotationSize: Int = 8 << 20) throws -> FileJournal {
        try FileJournal(
            directory: folder.path(of: "log"), app: "app.one", now: { Timestamp(seconds: 1_767_258_000) },
            rotationSize: rotationSize)
    }

    private func lines(_ name: String = "log/app.one.jsonl") throws -> [JSONValue] {
        let text = String(decoding: try folder.bytes(of: name), as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test func `an entry is one JSON line with time, app, process, place, kind, flow, message, code and fields`() throws
    {
        let journal = try journal()
        journal.record(
            JournalEntry(
                .refused, flow: "f1", "A command was refused.\nTwice.", code: .storeTooNew, fields: ["peer": "app.two"])
        )
        journal.record(JournalEntry(.note, "Started."))
        let places = try lines().map { try #require($0["seq"]) }
        #expect(
            try lines() == [
                [
                    "pid": .integer(Int64(getpid())), "seq": places[0], "time": "2026-01-01T09:00:00.000000Z",
                    "app": "app.one", "kind": "refused", "flow": "f1",
                    "message": "A command was refused.\nTwice.", "code": "store-too-new",
                    "fields": ["peer": "app.two"],
                ],
                [
                    "pid": .integer(Int64(getpid())), "seq": places[1], "time": "2026-01-01T09:00:00.000000Z",
                    "app": "app.one", "kind": "note", "message": "Started.",
                ],
            ])
        #expect(folder.mode(of: "log/app.one.jsonl") == 0o600)
        #expect(folder.mode(of: "log") == 0o700)
    }

    @Test func `two writers of one log leave whole lines only, and all of them`() async throws {
        try await record(2 * 400, with: [try journal(), try journal()])
        let entries = try lines()
        #expect(Set(entries.compactMap { $0["flow"]?.stringValue }).count == 800)
        #expect(entries.count == 800)
    }

    @Test func `a full log is renamed once, whichever of its writers sees it first`() async throws {
        // Some 100 KiB in all: more than one file's worth, less than two.
        try await record(2 * 400, with: [try journal(60_000), try journal(60_000)])
        let (old, new) = (try lines("log/app.one.jsonl.1"), try lines())
        #expect(old.count + new.count == 800)
        #expect(Set((old + new).compactMap { $0["flow"]?.stringValue }).count == 800)
        #expect(folder.mode(of: "log/app.one.jsonl.1") == 0o600)
    }

    private func record(_ count: Int, with journals: [FileJournal]) async throws {
        await withTaskGroup(of: Void.self) { group in
            for (index, journal) in journals.enumerated() {
                group.addTask {
                    for number in 0..<(count / journals.count) {
                        journal.record(JournalEntry(.decided, flow: "\(index)-\(number)", "Something was decided."))
                    }
                }
            }
        }
    }

    @Test func `entries that cannot be written are counted, and the count is noted when writing works again`() throws {
        let journal = try journal()
        mkdir(folder.path(of: "log/app.one.jsonl"), 0o700)
        journal.record(JournalEntry(.note, "one"))
        journal.record(JournalEntry(.note, "two"))
        rmdir(folder.path(of: "log/app.one.jsonl"))
        journal.record(JournalEntry(.note, "three"))
        let messages = try lines().compactMap { $0["message"]?.stringValue }
        #expect(messages == ["2 entries could not be written before this one", "three"])
    }

    @Test func `a log that others can read is not written to`() throws {
        try journal().record(JournalEntry(.note, "one"))
        chmod(folder.path(of: "log/app.one.jsonl"), 0o644)
        try journal().record(JournalEntry(.note, "two"))
        #expect(try lines().count == 1)
        chmod(folder.path(of: "log/app.one.jsonl"), 0o600)
        try journal().record(JournalEntry(.note, "three"))
        #expect(try lines().count == 2)
    }

    @Test func `what one process writes has rising numbers, whichever log it goes to`() throws {
        let (one, two) = (
            try journal(),
            try FileJournal(directory: folder.path(of: "log"), app: "app.two", now: { Timestamp(seconds: 0) })
        )
        for journal in [one, two, one] { journal.record(JournalEntry(.note, "one")) }
        func numbers(_ name: String) throws -> [Int64] {
            try lines(name).compactMap { if case .integer(let number) = $0["seq"] { number } else { nil } }
        }
        let (first, second) = (try numbers("log/app.one.jsonl"), try numbers("log/app.two.jsonl"))
        #expect(first.count == 2 && second.count == 1)
        #expect(first[0] < second[0] && second[0] < first[1])
    }
}
