import Basics

/// What a home's bus is now: `run/bus.json`.
struct BusRecord: Sendable, Equatable {
    enum Kind: String, Sendable {
        case session
        case `private`
        case address
    }

    var kind: Kind
    var address: String
    /// The daemon of a private bus.
    var daemon: ProcessIdentity?
    /// The process that ends it after the last party; without one the last party does.
    var keeper: ProcessIdentity?

    init(kind: Kind, address: String, daemon: ProcessIdentity? = nil, keeper: ProcessIdentity? = nil) {
        self.kind = kind
        self.address = address
        self.daemon = daemon
        self.keeper = keeper
    }

    /// Reads the file; text that is none of ours is no record.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), json["schemaVersion"] == 1,
            let kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
            let address = json["address"]?.stringValue
        else { return nil }
        self.init(
            kind: kind, address: address, daemon: ProcessIdentity(json["daemon"]),
            keeper: ProcessIdentity(json["keeper"]))
    }

    var bytes: [UInt8] {
        var members: [String: JSONValue] = [
            "schemaVersion": 1, "kind": .string(kind.rawValue), "address": .string(address),
        ]
        members["daemon"] = daemon?.json
        members["keeper"] = keeper?.json
        return JSONValue.object(members).serialized()
    }

    /// How the bus is named to people.
    var words: String {
        switch kind {
        case .session: "the session bus (\(address))"
        case .private: "its private bus (\(address))"
        case .address: "the bus at \(address)"
        }
    }

    var hasKeeper: Bool { keeper?.isAlive ?? false }
}
