package import Basics
import Platform

/// One message of a flow, or one decision.
package struct TraceStep: Sendable, Equatable {
    /// What happened.
    package enum Event: Sendable, Equatable {
        case command(String)
        case request(method: String, path: String)
        case decision(String)
    }

    /// What its receiver made of it.
    package enum Verdict: Sendable, Equatable {
        /// The command was taken; how it was carried.
        case taken(transport: String)
        case refused(Refusal)
        /// The request was answered.
        case status(Int64)
        /// It never arrived, by the code that the sender has for it.
        case undelivered(code: String)
        /// The receiver's log has nothing of it.
        case unseen
        /// The receiver keeps no log in this home.
        case unknown
        case none
    }

    /// Why something was refused.
    package struct Refusal: Sendable, Equatable {
        package var code: String
        package var rule: String?
        package var text: String
        package var detail: String?
    }

    /// The time since the flow began.
    package var at: Duration
    /// Who did it: an app id, `provider`, or `?` for a sender that nobody has proved.
    package var from: String
    /// To whom; nothing for a decision.
    package var to: String?
    package var event: Event
    package var verdict: Verdict
    /// The line's own fields, masked as they are in the log.
    package var fields: [String: JSONValue]

    /// Makes the steps of a flow; what two lines tell of one message is one step.
    static func steps(_ points: [CausalOrder.Point], begun: Timestamp, apps: Set<String>) -> [TraceStep] {
        var folded = Folding(points.map(\.entry))
        var steps: [TraceStep] = []
        for point in points {
            guard var step = folded.step(for: point, logging: apps) else { continue }
            step.at = max(point.time - begun, steps.last?.at ?? .zero)
            steps.append(step)
        }
        return steps
    }
}

/// Finds the two lines that tell of one message, each once.
private struct Folding {
    private let entries: [TraceEntry]
    private var used: Set<Int> = []

    init(_ entries: [TraceEntry]) { self.entries = entries }

    mutating func step(for point: CausalOrder.Point, logging apps: Set<String>) -> TraceStep? {
        let entry = point.entry
        switch entry.kind {
        case .sent: return sent(entry, logging: apps)
        case .received, .refused:
            if entry.kind == .refused, entry.text("span") != nil { return refusalByProvider(entry) }
            guard let index = entries.firstIndex(of: entry), !used.contains(index) else { return nil }
            return TraceStep(
                at: .zero, from: entry.text("from") ?? "?", to: entry.app,
                event: .command(entry.text("command") ?? "?"), verdict: verdict(of: entry), fields: entry.fields)
        case .http:
            guard point.isBeginning else { return nil }
            return request(entry)
        case .served: return nil
        case .decided, .note:
            // Told by the message that it is about.
            if entry.text("jti") != nil { return nil }
            return decision(entry)
        }
    }

    private mutating func sent(_ entry: TraceEntry, logging apps: Set<String>) -> TraceStep {
        let (command, receiver) = (entry.text("jti"), entry.text("to") ?? "?")
        let arrived = entries.indices.first { index in
            let other = entries[index]
            return !used.contains(index) && [.received, .refused].contains(other.kind) && command != nil
                && other.text("jti") == command
        }
        let verdict: TraceStep.Verdict
        var fields = entry.fields
        if let arrived {
            used.insert(arrived)
            verdict = self.verdict(of: entries[arrived])
            fields.merge(entries[arrived].fields) { own, _ in own }
        } else if let failure = entries.first(where: { $0.kind == .note && $0.text("jti") == command && command != nil }
        ) {
            verdict = .undelivered(code: failure.code ?? "?")
        } else {
            verdict = apps.contains(receiver) ? .unseen : .unknown
        }
        return TraceStep(
            at: .zero, from: entry.app, to: receiver, event: .command(entry.text("command") ?? "?"), verdict: verdict,
            fields: fields)
    }

    private func verdict(of entry: TraceEntry) -> TraceStep.Verdict {
        guard entry.kind == .refused else { return .taken(transport: entry.text("transport") ?? "?") }
        return .refused(
            TraceStep.Refusal(
                code: entry.code ?? "?", rule: entry.text("rule"), text: entry.message, detail: entry.text("detail")))
    }

    private func request(_ entry: TraceEntry) -> TraceStep {
        let verdict: TraceStep.Verdict =
            if let status = entry.number("status") { .status(status) } else { .undelivered(code: entry.code ?? "?") }
        return TraceStep(
            at: .zero, from: entry.app, to: "provider",
            event: .request(method: entry.text("method") ?? "?", path: entry.text("path") ?? "?"), verdict: verdict,
            fields: entry.fields)
    }

    private func refusalByProvider(_ entry: TraceEntry) -> TraceStep {
        let text = [entry.text("error"), entry.message, entry.text("detail")].compactMap(\.self)
        return decision(entry, "refused: " + text.joined(separator: "; "))
    }

    private func decision(_ entry: TraceEntry, _ text: String? = nil) -> TraceStep {
        let code = entry.code.map { " [\($0)]" } ?? ""
        return TraceStep(
            at: .zero, from: entry.app, to: nil, event: .decision((text ?? entry.message) + (text == nil ? code : "")),
            verdict: .none, fields: entry.fields)
    }
}
