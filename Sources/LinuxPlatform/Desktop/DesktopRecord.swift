import Basics

/// What `apps install` did, kept in the app's folder so that `apps uninstall` can undo it: `apps/ID/desktop.json`.
struct DesktopRecord: Equatable {
    /// A scheme whose URLs the app opens now, and what opened them before.
    struct Scheme: Equatable {
        var name: String
        /// The desktop entry that had been the default, where there was one.
        var former: String?
    }

    var entry: String
    /// The service files that were written, the home's own bus's aside.
    var services: [String] = []
    /// Whether the home's own bus had no service file of the app before.
    var hasOwnService = false
    var defaults: String
    /// Whether there was no list of defaults before.
    var madeDefaults = false
    var schemes: [Scheme] = []
    /// Folders that were made, the outermost first.
    var folders: [String] = []

    init(entry: String, defaults: String) {
        self.entry = entry
        self.defaults = defaults
    }

    /// Reads the file.
    ///
    /// - Throws: `invalid-json` for text that is none of ours.
    init(_ bytes: [UInt8]) throws(Fault) {
        let json = try JSONValue(parsing: bytes)
        guard json["schemaVersion"] == 1, let entry = json["entry"]?.stringValue,
            let defaults = json["defaults"]?.stringValue
        else { throw Fault(.invalidJSON, "A desktop.json of another version.") }
        self.init(entry: entry, defaults: defaults)
        func texts(_ name: String) -> [String] { (json[name]?.arrayValue ?? []).compactMap(\.stringValue) }
        services = texts("services")
        folders = texts("folders")
        hasOwnService = json["ownService"] == true
        madeDefaults = json["madeDefaults"] == true
        schemes = (json["schemes"]?.arrayValue ?? []).compactMap { row in
            row["scheme"]?.stringValue.map { Scheme(name: $0, former: row["former"]?.stringValue) }
        }
    }

    var bytes: [UInt8] {
        let json: JSONValue = [
            "schemaVersion": 1, "entry": .string(entry), "services": .array(services.map(JSONValue.string)),
            "ownService": .bool(hasOwnService), "defaults": .string(defaults), "madeDefaults": .bool(madeDefaults),
            "schemes": .array(
                schemes.map { ["scheme": .string($0.name), "former": $0.former.map(JSONValue.string) ?? .null] }),
            "folders": .array(folders.map(JSONValue.string)),
        ]
        return json.serialized()
    }
}
