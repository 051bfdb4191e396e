import Basics
package import Platform

/// What every secret store does. Names begin with `conformance.`, so all checks can run on one store.
package enum SecretStoreConformance {
    /// A named rule, and what throws `ConformanceFailure` where a store breaks it.
    package typealias Check = (
        name: String, run: @Sendable (_ store: any SecretStore, _ environment: Environment) async throws -> Void
    )

    /// The rules in the order in which they build on each other.
    package static let checks: [Check] = [
        (
            name: "a secret comes back as it was written",
            run: { store, _ in
                let bytes = (0...255).map { UInt8($0) }
                try await store.write("conformance.bytes", Secret(bytes))
                try await store.write("conformance.empty", Secret([]))
                try requireEqual(try await store.read("conformance.bytes")?.unmasked, bytes, "all byte values")
                try requireEqual(try await store.read("conformance.empty")?.unmasked, [], "no bytes")
                try requireEqual(try await store.read("conformance.none")?.unmasked, nil, "a name never written")
            }
        ),
        (
            name: "a later write replaces the secret",
            run: { store, _ in
                try await store.write("conformance.later", Secret([1, 2, 3]))
                try await store.write("conformance.later", Secret([4]))
                try requireEqual(try await store.read("conformance.later")?.unmasked, [4], "the secret")
            }
        ),
        (
            name: "a removed secret is gone, and remove says what was there",
            run: { store, _ in
                try await store.write("conformance.removed", Secret([1]))
                try requireEqual(try await store.remove("conformance.removed"), true, "the first remove")
                try requireEqual(try await store.remove("conformance.removed"), false, "the second")
                try requireEqual(try await store.read("conformance.removed")?.unmasked, nil, "the secret")
            }
        ),
        (
            name: "names are listed sorted, those that are there and no others",
            run: { store, _ in
                for name in ["b", "a", "c"] { try await store.write("conformance.names.\(name)", Secret([1])) }
                try await store.remove("conformance.names.b")
                let names = try await store.names().filter { $0.hasPrefix("conformance.names.") }
                try requireEqual(names, ["conformance.names.a", "conformance.names.c"], "the names")
            }
        ),
        (
            name: "writes at once to different names all arrive",
            run: { store, environment in
                let writers = (0..<8).map { number in
                    environment.spawn("writer \(number)") {
                        try await store.write("conformance.many.\(number)", Secret([UInt8(number)]))
                    }
                }
                for writer in writers { try await writer.value }
                for number in 0..<8 {
                    let found = try await store.read("conformance.many.\(number)")?.unmasked
                    try requireEqual(found, [UInt8(number)], "secret \(number)")
                }
            }
        ),
    ]
}
