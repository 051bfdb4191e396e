import Basics
import Platform
import Testing

@Suite struct `An HTTP date` {
    private let now = Timestamp(seconds: 1_800_000_000)
    /// The instant of RFC 9110 §5.6.7's own examples.
    private let example = Timestamp(seconds: 784_111_777)

    @Test func `is written as an IMF-fixdate`() {
        #expect(HTTPDate.text(example) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Timestamp(seconds: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(Timestamp(seconds: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate.text(Timestamp(microseconds: 784_111_777_999_999)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `is read in each of the three forms`(text: String) {
        #expect(HTTPDate.parse(text, now: now) == example)
    }

    @Test func `comes back as it was written, over many years`() {
        for step in 0..<5_000 {
            let instant = Timestamp(seconds: Int64(step) * 3_456_789)
            #expect(HTTPDate.parse(HTTPDate.text(instant), now: now) == instant)
        }
    }

    @Test func `with a year of two digits lies at most 50 years ahead`() {
        // 2027 + 50 = 2077.
        #expect(HTTPDate.parse("Friday, 01-Jan-77 00:00:00 GMT", now: now)?.description.hasPrefix("2077") == true)
        #expect(HTTPDate.parse("Sunday, 01-Jan-78 00:00:00 GMT", now: now)?.description.hasPrefix("1978") == true)
    }

    @Test func `with a day of two digits in the oldest form is read`() {
        #expect(HTTPDate.parse("Wed Nov 16 08:49:37 1994", now: now) == example + .seconds(864_000))
    }

    @Test(arguments: [
        "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Wed, 30 Feb 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06-Nov-94 08:49:37 GMT",
        "1994-11-06T08:49:37Z",
    ])
    func `in any other form is refused`(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }
}
