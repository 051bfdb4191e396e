package import Basics
import Platform

/// One flow across all apps of a home: its commands, its requests and what was decided, in causal order.
package struct Trace: Sendable {
    /// How a flow went on the whole.
    package enum Kind: String, Sendable {
        case clientInitiated = "client-initiated"
        case idpInitiated = "idp-initiated"
        case keychain
        case logout
        /// Requests and no command: an app that logs in at the provider itself.
        case local
        /// `ping` and `pong`.
        case presence
        /// Begun before the oldest line that the logs still have.
        case partial
    }

    package let flow: String
    package let steps: [TraceStep]
    package let begun: Timestamp
    package let duration: Duration
    package let kind: Kind
    /// How it ended, in a word or two; `open` while nothing says so.
    package let outcome: String

    /// The apps that took part, in the order of their appearance.
    package var apps: [String] {
        steps.flatMap { [$0.from, $0.to].compactMap(\.self) }.reduce(into: []) { apps, app in
            if !apps.contains(app), app != "?" { apps.append(app) }
        }
    }

    /// Puts together what the logs have of a flow.
    ///
    /// - Parameters:
    ///   - strangers: refusals that name no flow; those that happened meanwhile are shown.
    ///   - apps: the apps that keep a log.
    init(flow: String, lines: [TraceEntry], strangers: [TraceEntry], logging apps: Set<String>) {
        let own = lines.filter(\.isTrustworthy)
        let spans = Set(own.compactMap { $0.text("span") })
        let answered = lines.filter { !$0.isTrustworthy && spans.contains($0.text("span") ?? "") }
        let points = CausalOrder.sorted(own + answered + Trace.meanwhile(strangers, own))
        self.flow = flow
        begun = points.map(\.time).min() ?? Timestamp(seconds: 0)
        duration = (points.map(\.time).max() ?? begun) - begun
        steps = TraceStep.steps(points, begun: begun, apps: apps)
        kind = Kind(own)
        outcome = Trace.outcome(own, steps, kind)
    }

    /// The refusals that happened at an app of the flow while it ran.
    private static func meanwhile(_ strangers: [TraceEntry], _ own: [TraceEntry]) -> [TraceEntry] {
        guard let first = own.map(\.time).min(), let last = own.map(\.time).max() else { return [] }
        let ended = own.contains { $0.fields["outcome"] != nil }
        let end = last + (ended ? .zero : .seconds(10))
        let apps = Set(own.flatMap { [$0.app, $0.text("to") ?? $0.app] })
        return strangers.filter { apps.contains($0.app) && (first...end).contains($0.time) }
    }

    private static func outcome(_ own: [TraceEntry], _ steps: [TraceStep], _ kind: Kind) -> String {
        let told = own.filter { $0.fields["outcome"] != nil }
        if kind == .logout, let word = logoutOutcome(told) { return word }
        // The client knows best how its login ended.
        let clients = Set(own.filter { $0.text("command") == "authrequest" }.compactMap { $0.text("from") })
        if let last = told.last(where: { clients.contains($0.app) }) ?? told.last {
            return (last.text("outcome") ?? "").replacing("_", with: " ")
        }
        if kind == .local, let last = own.last(where: { $0.kind == .decided }) { return last.message }
        if kind == .presence { return own.contains { $0.text("command") == "pong" } ? "answered" : "no answer" }
        for step in steps { if case .refused(let refusal) = step.verdict { return "refused, \(refusal.code)" } }
        return "open"
    }

    /// Of all that the apps said of a logout, what weighs most: an app that had no such login to end says so last.
    private static func logoutOutcome(_ told: [TraceEntry]) -> String? {
        let words = Set(told.compactMap { $0.text("outcome")?.replacing("_", with: " ") })
        return ["not revoked", "logged out", "not logged in"].first(where: words.contains)
    }
}

extension Trace.Kind {
    fileprivate init(_ entries: [TraceEntry]) {
        let commands = Set(entries.compactMap { $0.text("command") })
        self =
            if commands.contains("idpauthcodeinit") {
                .keychain
            } else if commands.contains("idpinit") {
                .idpInitiated
            } else if commands.contains("authrequest") || entries.contains(where: \.isEndOfHandoff) {
                .clientInitiated
            } else if commands.contains("logout") {
                .logout
            } else if commands.isSubset(of: ["ping", "pong"]), !commands.isEmpty {
                .presence
            } else {
                commands.isEmpty ? .local : .partial
            }
    }
}

extension TraceEntry {
    /// Whether a client tells the end of a flow with another app: all that there is of one whose first command could
    /// not leave.
    fileprivate var isEndOfHandoff: Bool { kind == .decided && text("peer") != nil }
}
