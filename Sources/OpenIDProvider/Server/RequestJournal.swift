import Basics
import OpenIDConnect
import Platform

/// The provider's journal: what is written while a request is answered carries the flow and the span that it names.
///
/// Whoever sends a request may name any, so readers believe it where the sender's own log has the same span.
struct RequestJournal: Journal {
    /// The place of the request that is being answered, in its flow.
    @TaskLocal static var trace: TraceContext?

    let journal: any Journal

    func record(_ entry: JournalEntry) {
        var entry = entry
        if let trace = Self.trace {
            entry.flow = entry.flow ?? trace.flow
            entry.fields["span"] = .string(trace.span)
        }
        journal.record(entry)
    }

    /// Records a request of a flow, once it is answered.
    func answered(_ request: HTTPRequest, at endpoint: Endpoint, with status: Int) {
        record(
            JournalEntry(
                .served, "\(request.method) \(endpoint.path) → \(status)",
                fields: [
                    "method": .string(request.method), "path": .string(endpoint.path),
                    "status": .integer(Int64(status)),
                ]))
    }
}
