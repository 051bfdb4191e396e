import Basics
import Platform

private struct Refused: Error {}

extension RecordStoreConformance {
    static let transactionChecks: [Check] = [
        (
            name: "a transaction sees its own writes",
            run: { store, _ in
                let kind = RecordKind("conformance.own")
                let seen = try await store.write(.normal) { transaction in
                    try transaction.put(row(kind, "a"))
                    try transaction.put(row(kind, "b"))
                    try transaction.remove(kind, "a")
                    return try transaction.list(kind).map(\.key)
                }
                try requireEqual(seen, ["b"], "the rows inside the transaction")
            }
        ),
        (
            name: "a body that throws leaves no trace, and its error comes back",
            run: { store, _ in
                let kind = RecordKind("conformance.rollback")
                try await put([row(kind, "a", family: "f"), row(kind, "b")], in: store)
                do {
                    try await store.write(.full) { transaction in
                        try transaction.put(row(kind, "c"))
                        try transaction.put(row(kind, "b", "2"))
                        try transaction.removeFamily(kind, "f")
                        throw Refused()
                    }
                    throw ConformanceFailure("the error of the body comes back")
                } catch is Refused {}
                try requireEqual(
                    try rows(kind, in: store), [row(kind, "a", family: "f"), row(kind, "b")], "the rows")
                try await put([row(kind, "d")], in: store)
                try requireEqual(try keys(kind, in: store), ["a", "b", "d"], "the store goes on after it")
            }
        ),
        (
            name: "a body that throws takes nothing from those written beside it",
            run: { store, environment in
                let kind = RecordKind("conformance.batch")
                let writers = (0..<24).map { number in
                    environment.spawn("writer \(number)") {
                        try await store.write(number.isMultiple(of: 2) ? .full : .normal) { transaction in
                            try transaction.put(row(kind, "key \(number)"))
                            if number.isMultiple(of: 3) { throw Refused() }
                        }
                    }
                }
                for writer in writers {
                    do { try await writer.value } catch is Refused {}
                }
                try requireEqual(try keys(kind, in: store).count, 16, "the writers that did not throw")
            }
        ),
        (
            name: "writes of many tasks each see the ones before",
            run: { store, environment in
                let kind = RecordKind("conformance.count")
                let writers = (0..<32).map { number in
                    environment.spawn("writer \(number)") {
                        try await store.write(.normal) { transaction in
                            let rows = try transaction.list(kind)
                            try transaction.put(row(kind, "\(rows.count)"))
                        }
                    }
                }
                for writer in writers { try await writer.value }
                try requireEqual(try keys(kind, in: store).count, 32, "no write is lost")
            }
        ),
        (
            name: "a cancelled caller's write is whole or absent, never half",
            run: { store, environment in
                let kind = RecordKind("conformance.cancelled")
                let writer = environment.spawn("writer") {
                    try await store.write(.full) { transaction in
                        for number in 0..<10 { try transaction.put(row(kind, "\(number)")) }
                    }
                }
                writer.cancel()
                _ = await writer.result
                // A write that was still queued is finished too; one more write waits for it.
                try await put([row(RecordKind("conformance.cancelled.after"), "a")], in: store)
                let count = try keys(kind, in: store).count
                try require(count == 0 || count == 10, "found \(count) of 10 rows")
            }
        ),
        (
            name: "a scoped store's rows are out of another owner's sight",
            run: { store, _ in
                let kind = RecordKind("scoped")
                let one = ScopedRecordStore(store, owner: "conformance.one")
                let two = ScopedRecordStore(store, owner: "conformance.two")
                try await put([row(kind, "a", "1")], in: one)
                try await put([row(kind, "a", "2"), row(kind, "b")], in: two)
                try requireEqual(try rows(kind, in: store), [], "the bare kind")
                try requireEqual(try rows(kind, in: one), [row(kind, "a", "1")], "the first owner's")
                try requireEqual(try keys(RecordKind("conformance.two.scoped"), in: store), ["a", "b"], "by full name")
            }
        ),
    ]
}
