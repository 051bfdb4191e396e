package import Basics
import Platform

/// The schemes that more than one app of a home claims, and who opens their URLs: `schemes.json` in the home.
///
/// Commands go to an app by its name on the bus, and count by their signature, so a conflict is about URLs that are
/// opened in the desktop alone.
package struct SchemeConflicts: Sendable {
    /// What happens when an app claims a scheme that another has.
    package enum Policy: String, Sendable, CaseIterable {
        /// The app is not registered.
        case refuse
        /// The app that had it first opens the URLs.
        case first
        /// The app that came last opens them.
        case newest
        /// The person says.
        case ask
    }

    /// One scheme that several apps claim.
    package struct Conflict: Sendable, Equatable {
        package var scheme: String
        /// Those that claim it, the first first.
        package var apps: [String]
        /// The one that opens its URLs.
        package var opens: String
        /// How that was settled.
        package var policy: Policy

        package init(scheme: String, apps: [String], opens: String, policy: Policy) {
            self.scheme = scheme
            self.apps = apps
            self.opens = opens
            self.policy = policy
        }

        package var json: JSONValue {
            [
                "scheme": .string(scheme), "apps": .array(apps.map(JSONValue.string)), "opens": .string(opens),
                "policy": .string(policy.rawValue),
            ]
        }
    }

    private let file: PrivateFile

    package init(_ home: Home) { file = PrivateFile(path: home.layout.schemes) }

    /// All conflicts, sorted by scheme.
    ///
    /// - Throws: `invalid-json` for a file that is none of ours.
    package func all() throws(Fault) -> [Conflict] {
        guard let bytes = try file.read(atMost: 1 << 20) else { return [] }
        let json = try JSONValue(parsing: bytes)
        guard json["schemaVersion"] == 1, let rows = json["conflicts"]?.arrayValue else {
            throw Fault(.invalidJSON, "A schemes.json of another version: \(file.path)")
        }
        return rows.compactMap { row in
            guard let scheme = row["scheme"]?.stringValue, let opens = row["opens"]?.stringValue,
                let policy = row["policy"]?.stringValue.flatMap(Policy.init)
            else { return nil }
            let apps = (row["apps"]?.arrayValue ?? []).compactMap(\.stringValue)
            return Conflict(scheme: scheme, apps: apps, opens: opens, policy: policy)
        }
    }

    /// Notes that an app claims a scheme that others have, and who opens its URLs.
    package func note(_ conflict: Conflict) throws(Fault) {
        try write(try all().filter { $0.scheme != conflict.scheme } + [conflict])
    }

    /// Takes an app out of the conflicts, except the one about `scheme`; one that is left to one app is none.
    package func remove(_ app: String, except scheme: String? = nil) throws(Fault) {
        let before = try all()
        let after = before.compactMap { conflict -> Conflict? in
            guard conflict.scheme != scheme, conflict.apps.contains(app) else { return conflict }
            var conflict = conflict
            conflict.apps.removeAll { $0 == app }
            guard conflict.apps.count > 1 else { return nil }
            if conflict.opens == app { conflict.opens = conflict.apps[0] }
            return conflict
        }
        if after != before { try write(after) }
    }

    private func write(_ conflicts: [Conflict]) throws(Fault) {
        if conflicts.isEmpty {
            try file.remove()
            return
        }
        let rows = conflicts.sorted { $0.scheme < $1.scheme }.map(\.json)
        let json: JSONValue = ["schemaVersion": 1, "conflicts": .array(rows)]
        try file.write(json.serialized())
    }
}
