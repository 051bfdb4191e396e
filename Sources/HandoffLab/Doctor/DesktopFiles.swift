import Basics
import LinuxPlatform

/// What the user's desktop has about URL schemes: entries, defaults and services, as the specifications of
/// freedesktop.org place them.
struct DesktopFiles {
    /// A desktop entry or a D-Bus service, by its keys.
    struct File {
        let path: String
        let keys: [String: String]

        /// The name without its ending.
        var name: String {
            let last = path.split(separator: "/").last.map(String.init) ?? path
            // Both endings have eight letters with their dot.
            return String(last.dropLast(8))
        }

        /// The program that the entry starts.
        var program: String? { keys["Exec"].flatMap { $0.split(separator: " ").first }.map(String.init) }

        /// The home that the entry says it is for, where one of our programs wrote it.
        var home: String? { keys["X-Countersign-Home"] }

        /// The schemes whose URLs the entry says it opens.
        var schemes: [String] {
            (keys["MimeType"] ?? "").split(separator: ";").filter { $0.hasPrefix("x-scheme-handler/") }
                .map { String($0.dropFirst("x-scheme-handler/".count)) }
        }
    }

    let entries: [File]
    let services: [File]
    /// From a scheme to the name of the entry that is its default, with its ending.
    let defaults: [String: String]

    init(variables: [String: String]) {
        func folder(_ name: String, _ usual: String) -> String {
            variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(variables["HOME"] ?? "")/\(usual)"
        }
        let data = folder("XDG_DATA_HOME", ".local/share")
        let configuration = folder("XDG_CONFIG_HOME", ".config")
        let system = (variables["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share")
            .split(separator: ":").map(String.init)
        let folders = [data] + system
        // The first of a name hides the others.
        entries = DesktopFiles.files(folders.map { $0 + "/applications" }, ending: ".desktop")
        services = DesktopFiles.files(folders.map { $0 + "/dbus-1/services" }, ending: ".service")
        var defaults: [String: String] = [:]
        for list in [configuration] + folders.map({ $0 + "/applications" }) {
            let text = fileText(list + "/mimeapps.list") ?? ""
            for (type, names) in DesktopFiles.keys(of: text, in: "Default Applications") {
                guard type.hasPrefix("x-scheme-handler/"), let name = names.split(separator: ";").first else {
                    continue
                }
                let scheme = String(type.dropFirst("x-scheme-handler/".count))
                defaults[scheme] = defaults[scheme] ?? String(name)
            }
        }
        self.defaults = defaults
    }

    /// One service file.
    static func service(at path: String) -> File {
        File(path: path, keys: keys(of: fileText(path) ?? "", in: "D-BUS Service"))
    }

    /// Who opens the URLs of a scheme: the default, else the first entry that says it does.
    func opener(of scheme: String) -> File? {
        if let name = defaults[scheme], let file = entries.first(where: { $0.name + ".desktop" == name }) {
            return file
        }
        return entries.first { $0.schemes.contains(scheme) }
    }

    private static func files(_ folders: [String], ending: String) -> [File] {
        var found: [String: File] = [:]
        for folder in folders {
            for name in fileNames(in: folder) where name.hasSuffix(ending) && found[name] == nil {
                let path = "\(folder)/\(name)"
                guard let text = fileText(path) else { continue }
                let section = ending == ".desktop" ? "Desktop Entry" : "D-BUS Service"
                found[name] = File(path: path, keys: keys(of: text, in: section))
            }
        }
        return found.values.sorted { $0.path < $1.path }
    }

    private static func keys(of text: String, in section: String) -> [String: String] {
        var keys: [String: String] = [:]
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInside = line == "[\(section)]"
            } else if isInside, let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
                keys[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
        }
        return keys
    }
}
