extension Timestamp {
    /// RFC 3339 in UTC with microseconds, such as `2026-01-01T09:00:00.000250Z`: as logs have it.
    package var preciseText: String {
        let rest = String((microseconds - seconds * 1_000_000) % 1_000)
        return description.dropLast() + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
    }

    /// Reads what `description` and `preciseText` write: UTC, a four-digit year, up to six digits of a second.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") })
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].reduce(Int64?.some(0)) { value, byte in
                guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            let digits = bytes.count - 21
            guard bytes[19] == UInt8(ascii: "."), (1...6).contains(digits), let value = number(20..<(20 + digits))
            else {
                return nil
            }
            fraction = (digits..<6).reduce(value) { value, _ in value * 10 }
        }
        let days = Timestamp.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
        self.init(microseconds: seconds * 1_000_000 + fraction)
        // The thirtieth of February is another day.
        guard description.utf8.prefix(10).elementsEqual(bytes.prefix(10)) else { return nil }
    }

    /// The day number, counted from 1970-01-01, of a proleptic Gregorian date.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
