import Basics
import Platform

/// A trace for people: one line a message, and below it why it was refused.
extension Trace {
    /// How a line of the trace may stand out.
    package enum Emphasis: Sendable { case plain, good, bad, quiet }

    /// The lines, for a reader of 80 columns.
    ///
    /// - Parameter style: makes a part of a line stand out; the words say the same without it.
    package func lines(style: (String, Emphasis) -> String = { text, _ in text }) -> [String] {
        let names = ShortNames(apps)
        let ways = steps.map { step in step.to.map { "\(names[step.from]) → \(names[$0])" } ?? names[step.from] }
        let width = min(26, ways.map(\.count).max() ?? 0)
        let column = min(Self.width - 16 - width - 14, steps.map { $0.event.words.count }.max() ?? 0)
        var lines = heading(names, style)
        for (step, way) in zip(steps, ways) {
            let start = padded("\(step.at.shown)  ", 12, onTheLeft: true) + padded(way, width) + "  "
            switch step.event {
            case .decision(let text):
                lines += wrapped(text, first: style(start, .quiet) + "· ", indent: start.count + 2)
            case .command, .request:
                lines += message(start + padded(step.event.words, column), step, start.count + 2, style)
            }
        }
        return lines
    }

    private func heading(_ names: ShortNames, _ style: (String, Emphasis) -> String) -> [String] {
        let day = begun.description.replacing("T", with: " ")
        let emphasis: Emphasis = outcome.hasPrefix("logged in") || outcome.hasPrefix("switched") ? .good : .plain
        var lines = [
            "flow \(flow), \(kind.rawValue)",
            "begun \(day), \(style(outcome, emphasis)) after \(duration.shown)",
        ]
        lines += apps.filter { names[$0] != $0 }.map { "\(names[$0]) is \($0)" }
        return lines + [""]
    }

    private func message(
        _ line: String, _ step: TraceStep, _ indent: Int, _ style: (String, Emphasis) -> String
    ) -> [String] {
        let (words, emphasis) = step.verdict.words
        let pad = String(repeating: " ", count: indent)
        // What does not fit has its verdict below.
        let fits = line.count + 2 + words.count <= Self.width
        let lines = fits ? [line + "  " + style(words, emphasis)] : [trimmed(line), pad + style(words, emphasis)]
        guard case .refused(let refusal) = step.verdict else { return lines }
        let why = [refusal.text, refusal.detail.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        return lines + wrapped(why, first: pad, indent: indent)
    }

    private static let width = 80

    private func wrapped(_ text: String, first: String, indent: Int) -> [String] {
        let pad = String(repeating: " ", count: indent)
        return wrappedLines(text, width: Self.width - indent).enumerated().map {
            ($0.offset == 0 ? first : pad) + $0.element
        }
    }

    private func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func padded(_ text: String, _ width: Int, onTheLeft: Bool = false) -> String {
        let pad = String(repeating: " ", count: max(0, width - text.count))
        return onTheLeft ? pad + text : text + pad
    }
}

extension TraceStep.Event {
    /// The message in a word or two.
    fileprivate var words: String {
        switch self {
        case .command(let name): name
        case .request(let method, let path): "\(method) \(path)"
        case .decision: ""
        }
    }
}

extension TraceStep.Verdict {
    /// The verdict in a few words.
    var words: (String, Trace.Emphasis) {
        switch self {
        case .taken(let transport): ("taken, \(transport)", .good)
        case .refused(let refusal): ("refused\(refusal.rule.map { " by \($0)" } ?? "") [\(refusal.code)]", .bad)
        case .status(let status): ("\(status)", status < 400 ? .good : .bad)
        case .undelivered(let code): ("not delivered [\(code)]", .bad)
        case .unseen: ("not in its receiver's log", .bad)
        case .unknown: ("its receiver keeps no log here", .quiet)
        case .none: ("", .plain)
        }
    }
}

extension Duration {
    /// The time as people read it: `0.4 ms`, `31.2 ms`, `2.81 s`, `65 s`.
    package var shown: String {
        let microseconds = wholeMicroseconds
        func decimal(_ value: Int64, _ divisor: Int64, _ digits: Int) -> String {
            let fraction = String(value % divisor)
            let zeros = String(repeating: "0", count: String(divisor).count - 1 - fraction.count)
            return "\(value / divisor)." + (zeros + fraction).prefix(digits)
        }
        if microseconds < 1_000_000 { return decimal(microseconds, 1_000, 1) + " ms" }
        return microseconds < 60_000_000
            ? decimal(microseconds, 1_000_000, 2) + " s" : "\(microseconds / 1_000_000) s"
    }
}
