package import Basics
package import Platform

/// One line of an app's log, read back.
package struct TraceEntry: Sendable, Equatable {
    package var app: String
    package var time: Timestamp
    /// The process that wrote it; within one, `sequence` is the order.
    package var process: Int64?
    package var sequence: Int64
    package var kind: JournalEntry.Kind
    package var flow: String?
    package var message: String
    package var code: String?
    package var fields: [String: JSONValue]

    package init(
        app: String, time: Timestamp, process: Int64? = nil, sequence: Int64, kind: JournalEntry.Kind,
        flow: String? = nil, message: String = "", code: String? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.app = app
        self.time = time
        self.process = process
        self.sequence = sequence
        self.kind = kind
        self.flow = flow
        self.message = message
        self.code = code
        self.fields = fields
    }

    /// Reads a line's value; nothing for one that no app of ours wrote.
    package init?(_ json: JSONValue) {
        guard let app = json["app"]?.stringValue, let time = json["time"]?.stringValue.flatMap({ Timestamp(text: $0) }),
            let kind = json["kind"]?.stringValue.flatMap(JournalEntry.Kind.init),
            case .integer(let sequence) = json["seq"]
        else { return nil }
        var process: Int64?
        if case .integer(let id) = json["pid"] { process = id }
        self.init(
            app: app, time: time, process: process, sequence: sequence, kind: kind, flow: json["flow"]?.stringValue,
            message: json["message"]?.stringValue ?? "", code: json["code"]?.stringValue,
            fields: json["fields"]?.objectValue ?? [:])
    }

    /// The text of a field.
    func text(_ name: String) -> String? { fields[name]?.stringValue }

    /// The whole number of a field.
    func number(_ name: String) -> Int64? { if case .integer(let value) = fields[name] { value } else { nil } }

    /// Whether two lines are of one process.
    func isOfSameProcess(as other: TraceEntry) -> Bool { app == other.app && process == other.process }
}
