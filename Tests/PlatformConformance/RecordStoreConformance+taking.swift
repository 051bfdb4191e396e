import Basics
import Platform

extension RecordStoreConformance {
    static let takingChecks: [Check] = [
        (
            name: "take removes and returns the row once",
            run: { store, _ in
                let kind = RecordKind("conformance.take")
                try await put([row(kind, "a")], in: store)
                let first = try await store.write(.full) { try $0.take(kind, "a") }
                let second = try await store.write(.full) { try $0.take(kind, "a") }
                try requireEqual(first, row(kind, "a"), "the first take")
                try requireEqual(second, nil, "the second take")
            }
        ),
        (
            name: "take needs exactly the row's condition, and a miss changes nothing",
            run: { store, _ in
                let kind = RecordKind("conformance.condition")
                let bound = row(kind, "bound", condition: "é")
                try await put([bound, row(kind, "free")], in: store)
                let misses = try await store.write(.full) { transaction in
                    [
                        try transaction.take(kind, "bound"),
                        try transaction.take(kind, "bound", condition: "e\u{301}"),
                        try transaction.take(kind, "bound", condition: ""),
                        try transaction.take(kind, "free", condition: "é"),
                    ]
                }
                try requireEqual(misses, [nil, nil, nil, nil], "no condition, other bytes, empty, one too many")
                let hits = try await store.write(.full) { transaction in
                    [try transaction.take(kind, "bound", condition: "é"), try transaction.take(kind, "free")]
                }
                try requireEqual(hits, [bound, row(kind, "free")], "after the misses, the right conditions")
            }
        ),
        (
            name: "of many takers at once exactly one gets the row",
            run: { store, environment in
                let kind = RecordKind("conformance.race")
                try await put([row(kind, "a")], in: store)
                let takers = (0..<16).map { number in
                    environment.spawn("taker \(number)") {
                        try await store.write(.full) { try $0.take(kind, "a") != nil }
                    }
                }
                var winners = 0
                for taker in takers where try await taker.value { winners += 1 }
                try requireEqual(winners, 1, "winners")
            }
        ),
    ]
}
