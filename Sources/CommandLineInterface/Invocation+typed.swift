package import Basics

extension Invocation {
    /// The time that an option gives: `90s`, `2h`, `5m`, `500ms`.
    package func duration(_ name: String) throws(Fault) -> Duration? {
        guard let text = option(name) else { return nil }
        guard let duration = Duration(text: text) else { throw invalid(name, "“\(text)” is no time.") }
        return duration
    }

    /// The whole number that an option gives.
    package func number(_ name: String) throws(Fault) -> UInt64? {
        guard let text = option(name) else { return nil }
        guard let number = UInt64(wholeNumber: text) else { throw invalid(name, "“\(text)” is no whole number.") }
        return number
    }

    /// The whole number that an option gives, if it lies in a range.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Fault) -> Int? {
        guard let number = try number(name) else { return nil }
        guard let small = Int(exactly: number), range.contains(small) else {
            throw invalid(name, "\(number) is not from \(range.lowerBound) to \(range.upperBound).")
        }
        return small
    }

    /// The parts of a list with commas, of every time the option stands; `--tags slow,bus`.
    package func list(_ name: String) -> [String] {
        options(name).flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// The two parts of `NAME=VALUE`, of every time the option stands; `--report junit=FILE`.
    package func pairs(_ name: String) throws(Fault) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in options(name) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw invalid(name, "“\(text)” is not NAME=VALUE.")
            }
            pairs.append((String(parts[0]), String(parts[1])))
        }
        return pairs
    }

    /// A refusal of an option's or argument's value, for rules that the table cannot say.
    package func invalid(_ name: String, _ why: String) -> Fault {
        Fault(.invalidValue, "\(name): \(why)", next: ([programName, "help"] + command.path).joined(separator: " "))
    }
}
