import Basics
import FoundationEssentials
import Testing

@Suite struct `An instant` {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_767_258_000_000_000, "2026-01-01T09:00:00.000Z"),
        (951_868_799_999_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000_000, "2000-03-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (-1_000_000, "1969-12-31T23:59:59.000Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_000_000, "9999-12-31T23:59:59.000Z"),
        (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"), (1_001_000, "1970-01-01T00:00:01.001Z"),
    ])
    func `is written in UTC with milliseconds`(microseconds: Int, text: String) {
        #expect("\(Timestamp(microseconds: Int64(microseconds)))" == text)
    }

    @Test func `is written as the calendar of the toolchain writes it`() {
        // From 1606 on: the toolchain's calendar is the Julian one before 1582.
        for step in -1_500..<6_000 {
            let seconds = Int64(step) * 7_654_321
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect("\(Timestamp(seconds: seconds))".dropLast(5) == date.ISO8601Format().dropLast())
        }
    }

    @Test func `has whole seconds, rounded down`() {
        #expect(Timestamp(microseconds: 1_999_999).seconds == 1)
        #expect(Timestamp(microseconds: -1).seconds == -1)
        #expect(Timestamp(microseconds: -1_000_000).seconds == -1)
        #expect(Timestamp(microseconds: -1_000_001).seconds == -2)
        #expect(Timestamp(seconds: 1_800_000_000).seconds == 1_800_000_000)
    }

    @Test func `moves by durations, and is ordered`() {
        let noon = Timestamp(seconds: 1_800_000_000)
        #expect(noon + .milliseconds(1_500) - noon == .milliseconds(1_500))
        #expect(noon - .seconds(1) < noon)
        #expect(noon + .nanoseconds(999) == noon)
        #expect((noon - .seconds(10)) - noon == .seconds(-10))
        #expect(Duration.milliseconds(-1_500).wholeMicroseconds == -1_500_000)
    }

    @Test func `is stored as microseconds`() throws {
        let stored = try JSONEncoder().encode([Timestamp(microseconds: 1_234_567)])
        #expect(String(decoding: stored, as: UTF8.self) == "[1234567]")
        #expect(try JSONDecoder().decode([Timestamp].self, from: stored) == [Timestamp(microseconds: 1_234_567)])
    }

    @Test func `is read back from what it writes, with milliseconds and with microseconds`() {
        for step in -1_500..<6_000 {
            let instant = Timestamp(microseconds: Int64(step) * 7_654_321_001_003)
            #expect(Timestamp(text: instant.preciseText) == instant)
            #expect(Timestamp(text: "\(instant)")?.description == instant.description)
        }
        #expect(Timestamp(microseconds: 250).preciseText == "1970-01-01T00:00:00.000250Z")
        #expect(Timestamp(text: "2026-01-01T09:00:00Z") == Timestamp(seconds: 1_767_258_000))
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T09:00:00", "2026-01-01T09:00:00+00:00", "2026-01-01 09:00:00Z",
        "2026-13-01T09:00:00Z", "2026-02-30T09:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T09:00:00.Z",
        "2026-01-01T09:00:00.1234567Z", "2026-01-01T09:00:00.12x4Z", "+026-01-01T09:00:00.123Z",
    ])
    func `is not read from other texts`(_ text: String) { #expect(Timestamp(text: text) == nil) }
}
