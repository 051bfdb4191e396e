import Basics
import Platform

/// Turns D-Bus errors into ours.
enum BusFault {
    /// The fault for an error reply to `call`. The text of a peer goes into the detail only.
    static func fault(_ name: String, _ text: String, to call: BusCall) -> Fault {
        let detail = "\(name): \(text)"
        let short = name.replacing("org.freedesktop.DBus.Error.", with: "")
        if ["ServiceUnknown", "NameHasNoOwner"].contains(short) { return Fault(.peerNotRunning, detail: detail) }
        // A daemon that fails says nothing about whether a peer is there.
        if call.interface != ApplicationInterface.name { return Fault(.busUnavailable, detail: detail) }
        switch short {
        case _ where short.hasPrefix("Spawn."):
            return Fault(.peerNotStarted, detail: detail)
        case "TimedOut":
            return Fault(
                .peerNotStarted, "The bus started the other app, and it was not there in time.", detail: detail)
        case "UnknownObject", "UnknownMethod", "UnknownInterface", "InvalidArgs":
            return Fault(
                .peerNotRunning, "The name is owned by a program that is not an app of this kind.",
                next: "Check which program owns the name: busctl --user list", detail: detail)
        case "NoReply", "Timeout":
            return Fault(.peerNotRunning, "The other app did not answer.", detail: detail)
        default: return Fault(.busUnavailable, detail: detail)
        }
    }

    /// The fault for a negative result of sd-bus.
    static func fault(_ status: Int32, _ what: String) -> Fault {
        Fault(.busUnavailable, detail: "\(what): error \(-status)")
    }

    /// Whether the fault says that the name has an owner, and that the app's object is not there: an app that was just
    /// started may own its name first.
    static func saysNoObject(_ fault: Fault) -> Bool {
        ["UnknownObject", "UnknownMethod", "UnknownInterface"].contains { name in
            fault.detail?.hasPrefix("org.freedesktop.DBus.Error.\(name):") ?? false
        }
    }

    /// Whether the fault says that a name has no owner.
    static func saysNoOwner(_ fault: Fault) -> Bool { fault.code == .peerNotRunning }
}
