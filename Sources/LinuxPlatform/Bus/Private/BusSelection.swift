package import Basics
import Platform

/// Which bus a program is told to use: `--bus session|private|ADDRESS`.
package enum BusSelection: Sendable, Equatable {
    /// The bus of the login session.
    case session
    /// The home's own daemon.
    case `private`
    /// Any other, by its D-Bus address.
    case address(String)

    /// Reads the option's value; throws `bus-unavailable` when it is neither a word nor an address.
    package init(_ text: String) throws(Fault) {
        switch text {
        case "session": self = .session
        case "private": self = .private
        case _ where text.contains(":") && !text.hasPrefix(":"): self = .address(text)
        default:
            throw Fault(
                .busUnavailable, "There is no bus called \(text).",
                next: "Give --bus session, --bus private or an address such as unix:path=/run/user/1000/bus")
        }
    }

    /// The address of the session bus, where there is one: from the environment, else the user's runtime folder.
    static func sessionAddress(variables: [String: String]) -> String? {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return BusAddress.answers(address) ? address : nil
        }
        guard let folder = variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        let address = BusAddress.unix(path: folder + "/bus")
        return BusAddress.answers(address) ? address : nil
    }
}
