/// An instant in UTC, in whole microseconds since 1970.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Makes an instant from microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Makes an instant from whole seconds since 1970 (a JWT's NumericDate, RFC 7519 §2).
    public init(seconds: Int64) { microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).partialValue }

    /// Whole seconds since 1970, rounded down (a JWT's NumericDate).
    public var seconds: Int64 { microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000 }

    public init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    public static func + (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(microseconds: left.microseconds &+ right.wholeMicroseconds)
    }

    public static func - (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(microseconds: left.microseconds &- right.wholeMicroseconds)
    }

    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds &- right.microseconds)
    }
}

extension Duration {
    /// The duration in whole microseconds, rounded towards zero.
    public var wholeMicroseconds: Int64 {
        components.seconds &* 1_000_000 &+ components.attoseconds / 1_000_000_000_000
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds, such as `2026-01-01T09:00:00.000Z`.
    public var description: String {
        let (days, rest) = floored(seconds, by: 86_400)
        let (year, month, day) = Timestamp.civil(fromDays: days)
        let milliseconds = (microseconds - seconds * 1_000_000) / 1_000
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)).\(padded(milliseconds, 3))Z"
    }

    private func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let quotient = value >= 0 ? value / divisor : (value - divisor + 1) / divisor
        return (quotient, value - quotient * divisor)
    }

    /// The proleptic Gregorian date of a day number counted from 1970-01-01.
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Counted in eras of 400 years that begin in March, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
