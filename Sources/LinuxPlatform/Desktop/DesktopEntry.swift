import Basics

/// A desktop entry that has an app open the URLs of its schemes (Desktop Entry Specification).
struct DesktopEntry {
    /// Says which home an entry of ours is for.
    static let homeKey = "X-Countersign-Home"

    let name: String
    /// What a URL is given to, as its last argument.
    let command: [String]
    let schemes: [String]
    /// Whether the session bus starts the app and gives it the URL.
    let isActivatedByBus: Bool
    let home: String

    /// The file's text.
    ///
    /// - Throws: `desktop-path-refused` for a command that needs quoting, which openers get wrong.
    func text() throws(Fault) -> String {
        for word in command { try DesktopEntry.requirePlain(word) }
        var lines = [
            "[Desktop Entry]", "Type=Application", "Version=1.5", "Name=\(DesktopEntry.escaped(name))",
            "Comment=Opens URL commands of \(DesktopEntry.escaped(name))",
            "Exec=\((command + ["%u"]).joined(separator: " "))", "Terminal=false", "NoDisplay=true",
            "MimeType=" + schemes.map { "\(DesktopEntry.type(of: $0));" }.joined(),
        ]
        if isActivatedByBus { lines.append("DBusActivatable=true") }
        lines.append("\(DesktopEntry.homeKey)=\(DesktopEntry.escaped(home))")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The type by which a desktop knows the URLs of a scheme.
    static func type(of scheme: String) -> String { "x-scheme-handler/\(scheme)" }

    /// The home that an entry of ours is for; `nil` for an entry of somebody else.
    static func home(in text: String) -> String? {
        value(of: homeKey, in: text)?.replacing("\\s", with: " ").replacing("\\\\", with: "\\")
    }

    /// Whether an entry opens URLs of a scheme.
    static func opens(_ scheme: String, in text: String) -> Bool {
        (value(of: "MimeType", in: text) ?? "").split(separator: ";").contains { $0 == type(of: scheme) }
    }

    private static func value(of key: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }

    /// Refuses a word that would have to stand in quotation marks.
    private static func requirePlain(_ word: String) throws(Fault) {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"),
                    0x80...:
                    true
                default: false
                }
            }
        guard isPlain else {
            throw Fault(
                .desktopPathRefused, "A desktop entry would have to quote “\(word)”, which some openers get wrong.")
        }
    }

    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\\\")
        return text.hasPrefix(" ") ? "\\s" + text.dropFirst() : text
    }
}
