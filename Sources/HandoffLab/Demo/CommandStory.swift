import Basics
import FoundationEssentials
import Synchronization

/// The commands that pass between the apps of a home, read from their logs as they grow.
final class CommandStory: Sendable {
    private struct Entry {
        var time: String
        var json: JSONValue
        var command: String { json["fields"]?["command"]?.stringValue ?? "" }
    }

    private let folder: String
    private let told = Mutex(0)
    /// What the logs held before the story began.
    private let before: [String: Int]

    init(home: String) {
        folder = home + "/log"
        before = Dictionary(uniqueKeysWithValues: CommandStory.logs(home + "/log").map { ($0.name, $0.bytes.count) })
    }

    /// The names of the commands so far, in the order in which they were taken.
    func commands() -> [String] { entries().map(\.command) }

    /// The story of the commands that were not told yet: decoded, secrets masked.
    func next() -> [String] {
        told.withLock { told in
            let entries = entries()
            defer { told = max(told, entries.count) }
            return entries.dropFirst(told).map(CommandStory.text)
        }
    }

    private func entries() -> [Entry] {
        let lines = CommandStory.logs(folder).flatMap { log in
            log.bytes.dropFirst(before[log.name] ?? 0).split(separator: UInt8(ascii: "\n"))
        }
        let entries = lines.compactMap { line -> Entry? in
            guard let json = try? JSONValue(parsing: line), json["kind"]?.stringValue == "received",
                let time = json["time"]?.stringValue
            else { return nil }
            return Entry(time: time, json: json)
        }
        return entries.filter { !["ping", "pong"].contains($0.command) }.sorted { $0.time < $1.time }
    }

    private static func text(_ entry: Entry) -> String {
        let fields = entry.json["fields"]?.objectValue ?? [:]
        func value(_ name: String) -> String { fields[name]?.stringValue ?? "?" }
        let hidden = ["command", "from", "to", "transport"]
        let rest = fields.filter { !hidden.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
            "\n      \(name) \(value.stringValue ?? value.serializedText)"
        }
        return "  \(value("command"))  \(value("from")) → \(value("to")), \(value("transport"))\(rest.joined())"
    }

    private static func logs(_ folder: String) -> [(name: String, bytes: [UInt8])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: folder + "/" + name).map { (name, [UInt8]($0)) }
        }
    }
}
