import Basics
package import Platform

/// What every record store does. Each check uses a kind of its own, so all of them can run on one store.
package enum RecordStoreConformance {
    /// A named rule, and what throws `ConformanceFailure` where a store breaks it.
    package typealias Check = (
        name: String, run: @Sendable (_ store: any RecordStore, _ environment: Environment) async throws -> Void
    )

    /// The rules in the order in which they build on each other.
    package static let checks: [Check] = rowChecks + takingChecks + transactionChecks

    static func row(
        _ kind: RecordKind, _ key: String, _ text: String = "1", family: String? = nil, condition: String? = nil,
        expires: Timestamp? = nil
    ) -> Record {
        Record(
            kind: kind, key: key, family: family, condition: condition, expires: expires, value: Array(text.utf8))
    }

    static func put(_ rows: [Record], in store: any RecordStore, _ durability: Durability = .normal) async throws {
        try await store.write(durability) { transaction in
            for row in rows { try transaction.put(row) }
        }
    }

    static func find(_ kind: RecordKind, _ key: String, in store: any RecordStore) throws -> Record? {
        try store.read { records in try records.find(kind, key) }
    }

    static func rows(_ kind: RecordKind, in store: any RecordStore) throws -> [Record] {
        try store.read { records in try records.list(kind) }
    }

    static func keys(_ kind: RecordKind, family: String? = nil, in store: any RecordStore) throws -> [String] {
        try store.read { records in try records.list(kind, family: family).map(\.key) }
    }
}

extension RecordStoreConformance {
    private static let rowChecks: [Check] = [
        (
            name: "a row comes back as it was written, with every column",
            run: { store, _ in
                let kind = RecordKind("conformance.column")
                let full = Record(
                    kind: kind, key: "full", family: "f", condition: "c", expires: Timestamp(microseconds: 1_234_567),
                    value: [0, 255, 10, 39])
                let bare = Record(kind: kind, key: "bare", value: [])
                try await put([full, bare], in: store, .full)
                try requireEqual(try find(kind, "full", in: store), full, "the row with all columns")
                try requireEqual(try find(kind, "bare", in: store), bare, "the row without any")
                try requireEqual(try find(kind, "none", in: store), nil, "a key that was never written")
            }
        ),
        (
            name: "put replaces the whole row",
            run: { store, _ in
                let kind = RecordKind("conformance.put")
                try await put(
                    [row(kind, "a", "old", family: "f", condition: "c", expires: .init(seconds: 9))], in: store)
                try await put([row(kind, "a", "new")], in: store)
                try requireEqual(try find(kind, "a", in: store), row(kind, "a", "new"), "the later row")
            }
        ),
        (
            name: "insert writes only where there is nothing, and says so",
            run: { store, _ in
                let kind = RecordKind("conformance.insert")
                let first = try await store.write(.full) { try $0.insert(row(kind, "a", "first")) }
                let second = try await store.write(.full) { try $0.insert(row(kind, "a", "second")) }
                try require(first, "the first insert writes")
                try require(!second, "the second does not")
                try requireEqual(try find(kind, "a", in: store), row(kind, "a", "first"), "the first stays")
            }
        ),
        (
            name: "kinds do not see each other's rows",
            run: { store, _ in
                let one = RecordKind("conformance.kind")
                let other = RecordKind("conformance.kind.other")
                try await put([row(one, "a", family: "f"), row(other, "a", "2", family: "f")], in: store)
                try requireEqual(try find(one, "a", in: store), row(one, "a", family: "f"), "the row of one")
                let removed = try await store.write(.normal) { try $0.removeFamily(one, "f") }
                try requireEqual(removed, 1, "a family within one kind")
                try requireEqual(try keys(other, in: store), ["a"], "the other kind's row stays")
            }
        ),
        (
            name: "lists are sorted by the bytes of the key, and narrowed to a family",
            run: { store, _ in
                let kind = RecordKind("conformance.list")
                let spellings = ["b", "a", "Z", "é", "e\u{301}", "10", "9", ""]
                try await put(spellings.map { row(kind, $0, $0, family: $0.utf8.count == 1 ? "one" : nil) }, in: store)
                let sorted = ["", "10", "9", "Z", "a", "b", "e\u{301}", "é"].map { Array($0.utf8) }
                try requireEqual(
                    try keys(kind, in: store).map { Array($0.utf8) }, sorted, "two spellings of é are two keys")
                try requireEqual(try keys(kind, family: "one", in: store), ["9", "Z", "a", "b"], "those of the family")
                try requireEqual(try keys(kind, family: "none", in: store), [], "a family without rows")
            }
        ),
        (
            name: "remove and removeFamily say what was there",
            run: { store, _ in
                let kind = RecordKind("conformance.remove")
                try await put(
                    [
                        row(kind, "a", family: "f"), row(kind, "b", family: "f"), row(kind, "c", family: "g"),
                        row(kind, "d"),
                    ], in: store)
                let answers = try await store.write(.full) { transaction in
                    [
                        try transaction.remove(kind, "d"), try transaction.remove(kind, "d"),
                        try transaction.removeFamily(kind, "f") == 2, try transaction.removeFamily(kind, "f") == 0,
                    ]
                }
                try requireEqual(answers, [true, false, true, true], "what each call said")
                try requireEqual(try keys(kind, in: store), ["c"], "what is left")
            }
        ),
        (
            name: "purge removes what expired before the instant, and returns the largest expiry removed",
            run: { store, _ in
                let kind = RecordKind("conformance.purge")
                try await put(
                    [
                        row(kind, "old", expires: .init(seconds: 10)), row(kind, "older", expires: .init(seconds: 5)),
                        row(kind, "edge", expires: .init(seconds: 20)), row(kind, "lasting"),
                    ], in: store)
                let purged = try await store.write(.normal) { transaction in
                    [
                        try transaction.purge(kind, expiredBefore: Timestamp(seconds: 20)),
                        try transaction.purge(kind, expiredBefore: Timestamp(seconds: 20)),
                    ]
                }
                try requireEqual(purged, [Timestamp(seconds: 10), nil], "the largest expiry, then nothing")
                try requireEqual(try keys(kind, in: store), ["edge", "lasting"], "the row that expires at the instant")
            }
        ),
    ]
}
