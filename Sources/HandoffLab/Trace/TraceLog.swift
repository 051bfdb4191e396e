package import Basics
import FoundationEssentials
import Platform

/// The logs of a home, of all its apps together.
package struct TraceLog: Sendable {
    /// What could be read, file by file.
    package let entries: [TraceEntry]
    /// How many lines could not be: of another version, or cut off by a full disk.
    package let unreadable: Int

    /// The apps that keep a log here.
    private let apps: Set<String>
    private let lines: [String: [TraceEntry]]
    /// Refusals of commands that nobody has proved to have sent, so that they name no flow.
    private let strangers: [TraceEntry]

    package init(_ entries: [TraceEntry], unreadable: Int = 0) {
        self.entries = entries
        self.unreadable = unreadable
        apps = Set(entries.lazy.map(\.app))
        lines = Dictionary(grouping: entries.filter { $0.flow != nil }) { $0.flow ?? "" }
            .filter { $0.value.contains(where: \.isTrustworthy) }
        strangers = entries.filter { $0.kind == .refused && $0.flow == nil && $0.fields["busName"] != nil }
    }

    /// Reads the logs of a folder: for each app the file that was full last, then the one that is written now.
    package init(folder: String) {
        var (entries, unreadable) = ([TraceEntry](), 0)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for name in names where name.hasSuffix(".jsonl") {
            for path in ["\(folder)/\(name).1", "\(folder)/\(name)"] {
                guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                for line in [UInt8](bytes).split(separator: UInt8(ascii: "\n")) {
                    if let entry = (try? JSONValue(parsing: line)).flatMap(TraceEntry.init) {
                        entries.append(entry)
                    } else {
                        unreadable += 1
                    }
                }
            }
        }
        self.init(entries, unreadable: unreadable)
    }

    /// The flows, the newest first.
    package var flows: [Trace] {
        lines.keys.map { trace(of: $0) }.sorted { ($1.begun, $1.flow) < ($0.begun, $0.flow) }
    }

    /// Everything about one flow, in causal order.
    package func trace(of flow: String) -> Trace {
        Trace(flow: flow, lines: lines[flow] ?? [], strangers: strangers, logging: apps)
    }

    /// The one flow whose id begins like that; `last` is the newest one that is more than a sign of life.
    ///
    /// - Throws: `no-such-flow`, `ambiguous-flow`.
    package func find(_ text: String) throws(Fault) -> Trace {
        if text == "last" {
            guard let last = flows.first(where: { $0.kind != .presence }) else {
                throw Fault(.noSuchFlow, "No app of this home has begun a flow yet.")
            }
            return last
        }
        let ids = lines.keys.filter { $0.hasPrefix(text.lowercased()) }
        guard let id = ids.first, !text.isEmpty else {
            throw Fault(.noSuchFlow, "The logs of this home have no flow that begins with “\(text)”.")
        }
        guard ids.count == 1 else {
            let some = ids.sorted().prefix(4).joined(separator: ", ")
            throw Fault(.ambiguousFlow, "\(ids.count) flows begin with \(text): \(some)\(ids.count > 4 ? ", …" : "").")
        }
        return trace(of: id)
    }
}

extension TraceEntry {
    /// Whether the flow that the line names is known, and not only named by whoever sent a request.
    var isTrustworthy: Bool { fields["span"] == nil || kind == .http }
}
