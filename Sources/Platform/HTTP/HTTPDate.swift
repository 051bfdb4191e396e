package import Basics

/// Dates in HTTP fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let longDays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The instant as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ instant: Timestamp) -> String {
        // An instant's own text has the parts, in the order year, month, day, hour, minute, second.
        let parts = instant.description.split { !$0.isNumber }
        let month = months[(Int(parts[1]) ?? 1) - 1]
        // 1970-01-01, day 0, was a Thursday.
        let day = days[Int(((floorDivided(instant.seconds, by: 86_400) % 7) + 7) % 7)]
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// The instant that a date in any of the three forms names; nothing when it is not one of them, or when its day
    /// of the week is another one.
    ///
    /// - Parameter now: what a year of two digits is judged by: more than 50 years ahead means the past.
    package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT" && words[0].hasSuffix(","):
            return instant(
                weekday: String(words[0].dropLast()), of: days, day: number(words[1], 2), month: words[2],
                year: number(words[3], 4), time: words[4])
        case 4 where words[3] == "GMT" && words[0].hasSuffix(","):
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, let shortYear = number(date[2], 2) else { return nil }
            let thisYear = Int(now.description.prefix(4)) ?? 1970
            var year = thisYear / 100 * 100 + shortYear
            if year > thisYear + 50 { year -= 100 }
            return instant(
                weekday: String(words[0].dropLast()), of: longDays, day: number(date[0], 2), month: date[1], year: year,
                time: words[2])
        case 5:
            return instant(
                weekday: words[0], of: days, day: number(words[2], 2), month: words[1], year: number(words[4], 4),
                time: words[3])
        case 6 where words[2].isEmpty:
            // asctime pads a day of one digit with a space.
            return instant(
                weekday: words[0], of: days, day: number(words[3], 1), month: words[1], year: number(words[5], 4),
                time: words[4])
        default: return nil
        }
    }

    private static func instant(
        weekday: String, of names: [String], day: Int?, month: String, year: Int?, time: String
    ) -> Timestamp? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), 2) }
        guard let day, let year, let month = months.firstIndex(of: month).map({ $0 + 1 }), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60, 1...daysIn(month, of: year) ~= day
        else { return nil }
        let date = daysSince1970(year, month, day)
        guard names.firstIndex(of: weekday) == ((date % 7) + 7) % 7 else { return nil }
        // A leap second counts as the one before it.
        return Timestamp(seconds: Int64(date * 86_400 + hour * 3_600 + minute * 60 + min(second, 59)))
    }

    private static func number(_ text: String, _ width: Int) -> Int? {
        guard text.utf8.count == width, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let years = before * 365 + before / 4 - before / 100 + before / 400
        let months = (1..<month).reduce(0) { $0 + daysIn($1, of: year) }
        // 719 162 days lie between 0001-01-01 and 1970-01-01.
        return years + months + day - 1 - 719_162
    }

    private static func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}
