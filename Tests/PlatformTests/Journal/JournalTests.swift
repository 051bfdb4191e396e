import Basics
import Platform
import Testing

@Suite struct `A journal entry` {
    private let full = JournalEntry(
        .refused, flow: "f1", "a command was refused", code: .peerNotRunning, fields: ["b": 2, "a": "x"])

    @Test func `is one JSON line with its time, app, process and place`() {
        let line = full.jsonLine(
            app: "org.example.App", time: Timestamp(microseconds: 250), process: 7, sequence: 3
        ).serializedText
        #expect(
            line
                == #"{"app":"org.example.App","code":"peer-not-running","fields":{"a":"x","b":2},"flow":"f1","#
                + #""kind":"refused","message":"a command was refused","pid":7,"seq":3,"#
                + #""time":"1970-01-01T00:00:00.000250Z"}"#)
        let bare = JournalEntry(.note, "started").jsonLine(
            app: "a", time: Timestamp(seconds: 0), process: nil, sequence: 0
        ).serializedText
        #expect(
            bare == #"{"app":"a","kind":"note","message":"started","seq":0,"time":"1970-01-01T00:00:00.000000Z"}"#)
    }

    @Test func `is one line of the transcript, without its time`() {
        let journal = InMemoryJournal()
        journal.record(full)
        journal.record(JournalEntry(.note, "two\nlines\r\nof text"))
        #expect(
            journal.transcript == """
                refused a command was refused [peer-not-running] flow=f1 {"a":"x","b":2}
                note two lines of text

                """)
        #expect(journal.entries.map(\.kind) == [.refused, .note])
    }

    @Test func `every code of the platform has a meaning and a next step, and a name of its own`() {
        let names = ErrorCode.platform.map(\.name)
        #expect(Set(names).count == names.count)
        for code in ErrorCode.platform {
            #expect(!code.meaning.isEmpty && !code.nextStep.isEmpty)
            #expect(code.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
        }
    }
}
