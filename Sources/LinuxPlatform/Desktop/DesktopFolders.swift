import Basics

/// Where a desktop looks for apps and their defaults (XDG Base Directory, Desktop Entry and MIME Applications
/// specifications).
package struct DesktopFolders: Sendable, Equatable {
    /// The user's own data: `$XDG_DATA_HOME`, else `~/.local/share`.
    package let data: String
    /// The user's own configuration: `$XDG_CONFIG_HOME`, else `~/.config`.
    package let configuration: String
    let systemData: [String]
    let systemConfiguration: [String]
    /// The names of the desktop that runs, in lower case: `gnome`.
    let desktops: [String]

    package init(variables: [String: String]) {
        let user = Home.userFolder(variables)
        func folder(_ name: String, _ usual: String) -> String {
            // Relative paths are to be ignored.
            variables[name].flatMap { $0.hasPrefix("/") ? Home.tidy($0) : nil } ?? Home.tidy("\(user)/\(usual)")
        }
        func folders(_ name: String, _ usual: String) -> [String] {
            let text = variables[name].flatMap { $0.isEmpty ? nil : $0 } ?? usual
            return text.split(separator: ":").filter { $0.hasPrefix("/") }.map { Home.tidy(String($0)) }
        }
        data = folder("XDG_DATA_HOME", ".local/share")
        configuration = folder("XDG_CONFIG_HOME", ".config")
        systemData = folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        systemConfiguration = folders("XDG_CONFIG_DIRS", "/etc/xdg")
        desktops = (variables["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map(String.init)
    }

    /// The desktop entry of an app, in the user's own folder.
    package func entry(_ id: String) -> String { "\(data)/applications/\(id).desktop" }
    /// The service file of an app for the session bus.
    package func service(_ id: String) -> String { "\(data)/dbus-1/services/\(id).service" }
    /// The user's own list of defaults.
    package var defaults: String { "\(configuration)/mimeapps.list" }

    /// Every list of defaults, the one that counts first.
    var allDefaults: [String] {
        let folders =
            [configuration] + systemConfiguration + ([data] + systemData).map { "\($0)/applications" }
        return folders.flatMap { folder in
            desktops.map { "\(folder)/\($0)-mimeapps.list" } + ["\(folder)/mimeapps.list"]
        }
    }

    /// Every folder of desktop entries, the one that counts first.
    var entries: [String] { ([data] + systemData).map { "\($0)/applications" } }
}
