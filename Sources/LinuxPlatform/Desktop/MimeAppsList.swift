/// A `mimeapps.list` (MIME Applications Associations specification): which app opens what. Everything that is not
/// changed stays as it is, comments included.
struct MimeAppsList {
    private static let defaults = "[Default Applications]"
    private static let removed = "[Removed Associations]"

    private var lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    /// The apps that are to open a type, the first choice first.
    func defaultApps(for type: String) -> [String] { apps(for: type, in: Self.defaults) }

    /// Makes an app the first choice for a type; the former ones stay behind it as they stand.
    mutating func setDefault(_ app: String, for type: String) {
        let former = value(of: type, in: Self.defaults) ?? ""
        let others = former.contains(app) ? joined(defaultApps(for: type).filter { $0 != app }) : former
        set("\(app);\(others)", for: type, in: Self.defaults)
        let removed = apps(for: type, in: Self.removed)
        if removed.contains(app) { set(joined(removed.filter { $0 != app }), for: type, in: Self.removed) }
    }

    /// Takes an app away from a type.
    mutating func remove(_ app: String, for type: String) {
        guard let value = value(of: type, in: Self.defaults), defaultApps(for: type).contains(app) else { return }
        let others =
            value.hasPrefix("\(app);")
            ? String(value.dropFirst(app.count + 1)) : joined(defaultApps(for: type).filter { $0 != app })
        set(others, for: type, in: Self.defaults)
    }

    private func joined(_ apps: [String]) -> String { apps.map { "\($0);" }.joined() }

    private func apps(for type: String, in group: String) -> [String] {
        (value(of: type, in: group) ?? "").split(separator: ";").map(\.trimmingSpaces).filter { !$0.isEmpty }
    }

    private func value(of type: String, in group: String) -> String? {
        line(of: type, in: group).map { String(lines[$0].drop { $0 != "=" }.dropFirst()) }
    }

    /// Where a group's lines are, without its header.
    private func range(of group: String) -> Range<Int>? {
        guard let header = lines.firstIndex(where: { $0.trimmingSpaces == group }) else { return nil }
        let rest = lines[(header + 1)...]
        return (header + 1)..<(rest.firstIndex { $0.hasPrefix("[") } ?? lines.endIndex)
    }

    private func line(of type: String, in group: String) -> Int? {
        guard let range = range(of: group) else { return nil }
        return range.first { index in
            lines[index].prefix { $0 != "=" }.trimmingSpaces == type && lines[index].contains("=")
        }
    }

    /// Sets a value; an empty one takes the line away, and a group that has no other with it.
    private mutating func set(_ value: String, for type: String, in group: String) {
        if let line = line(of: type, in: group) {
            if !value.isEmpty { return lines[line] = "\(type)=\(value)" }
            lines.remove(at: line)
            if let range = range(of: group), lines[range].allSatisfy({ $0.trimmingSpaces.isEmpty }) {
                lines.removeSubrange((range.lowerBound - 1)..<range.upperBound)
            }
        } else if !value.isEmpty {
            let line = "\(type)=\(value)"
            guard let range = range(of: group) else { return lines += [group, line] }
            let last = range.last { !lines[$0].trimmingSpaces.isEmpty }
            lines.insert(line, at: (last ?? range.lowerBound - 1) + 1)
        }
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        var text = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        while let last = text.last, " \t\r".contains(last) { text = text.dropLast() }
        return String(text)
    }
}
