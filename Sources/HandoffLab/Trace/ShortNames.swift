/// Names for the apps of one trace: the last parts of their ids, as few as tell them apart.
struct ShortNames {
    private let names: [String: String]

    init(_ apps: [String]) {
        var names: [String: String] = [:]
        for app in apps {
            let parts = app.split(separator: ".")
            let fitting = (1...max(1, parts.count)).lazy.map { parts.suffix($0).joined(separator: ".") }
            names[app] = fitting.first { name in
                !apps.contains { $0 != app && ($0 == name || $0.hasSuffix("." + name)) }
            }
        }
        self.names = names
    }

    subscript(_ app: String) -> String { names[app] ?? app }
}
