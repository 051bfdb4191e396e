import Basics
import Glibc
import Platform

/// Installs the apps of a home in the user's desktop, so that their URLs open them, and takes them out again.
package struct DesktopInstallation: Sendable {
    /// What is installed.
    package struct App: Sendable {
        package var id: String
        package var name: String
        package var schemes: [String]
        /// What a URL is given to, as its last argument.
        package var handler: [String]
        /// What the home's own bus starts; empty where nothing is to be started.
        package var service: [String]
        /// What the session bus starts.
        package var sessionService: [String]

        package init(
            id: String, name: String, schemes: [String], handler: [String], service: [String],
            sessionService: [String]
        ) {
            self.id = id
            self.name = name
            self.schemes = schemes
            self.handler = handler
            self.service = service
            self.sessionService = sessionService
        }
    }

    /// A scheme of an installed app.
    package struct Scheme: Sendable, Equatable {
        package var name: String
        /// The app whose desktop entry opens its URLs now.
        package var opens: String?
        /// The desktop entry that opened them before.
        package var former: String?
    }

    /// What is in the desktop now.
    package struct Report: Sendable, Equatable {
        /// The desktop entry.
        package var entry: String
        /// The service files by which a bus starts the app.
        package var services: [String]
        package var schemes: [Scheme]
    }

    private let home: Home
    private let folders: DesktopFolders

    package init(_ home: Home, folders: DesktopFolders) {
        self.home = home
        self.folders = folders
    }

    /// Writes the app's desktop entry and services, and makes it the default of its schemes, except of those that a
    /// recorded conflict gives to another app. Installing again brings everything up to date.
    ///
    /// - Throws: `desktop-path-refused`, `desktop-entry-taken`.
    package func install(_ app: App) throws -> Report {
        let entry = DesktopEntry(
            name: app.name, command: app.handler, schemes: app.schemes,
            isActivatedByBus: home.isDefault && !app.service.isEmpty, home: home.path)
        let text = try entry.text()
        try requireOwnEntry(app.id)
        let conflicts = try SchemeConflicts(home).all()
        var record = try record(of: app.id) ?? DesktopRecord(entry: folders.entry(app.id), defaults: folders.defaults)
        let taken = app.schemes.filter { scheme in
            conflicts.first { $0.scheme == scheme }.map { $0.opens == app.id } ?? true
        }
        for scheme in taken where !record.schemes.contains(where: { $0.name == scheme }) {
            let current = try defaultEntry(for: scheme)
            record.schemes.append(.init(name: scheme, former: current == app.id + ".desktop" ? nil : current))
        }
        if access(record.defaults, F_OK) != 0 { record.madeDefaults = true }
        // Noted before anything is done: what is cut off here can be undone.
        try write(record, of: app.id)
        try installServices(app, &record)
        record.folders += try PlainFile(path: record.entry).write(text)
        var list = MimeAppsList(try PlainFile(path: record.defaults).read() ?? "")
        for scheme in taken { list.setDefault(app.id + ".desktop", for: DesktopEntry.type(of: scheme)) }
        if !taken.isEmpty { record.folders += try PlainFile(path: record.defaults).write(list.text) }
        try write(record, of: app.id)
        return try report(record, app)
    }

    /// Takes everything away that `install` wrote; what was the default before is it again.
    ///
    /// - Returns: what opens the schemes now; `nil` where the app was not installed.
    package func uninstall(_ id: String) throws -> [Scheme]? {
        guard let record = try record(of: id) else { return nil }
        for service in record.services { try PlainFile(path: service).remove() }
        if record.hasOwnService { try BusService.remove(id, home: home.path) }
        if let text = try PlainFile(path: record.entry).read(), DesktopEntry.home(in: text) == home.path {
            try PlainFile(path: record.entry).remove()
        }
        if let text = try PlainFile(path: record.defaults).read() {
            var list = MimeAppsList(text)
            for scheme in record.schemes {
                list.remove(id + ".desktop", for: DesktopEntry.type(of: scheme.name))
            }
            if list.text.isEmpty && record.madeDefaults {
                try PlainFile(path: record.defaults).remove()
            } else if list.text != text {
                try PlainFile(path: record.defaults).write(list.text)
            }
        }
        // Only those that are empty go.
        for folder in record.folders.reversed() { rmdir(folder) }
        try leaveRest(of: record, by: id)
        try recordFile(of: id).remove()
        return try record.schemes.map { scheme in
            let opens = try defaultEntry(for: scheme.name)
            return Scheme(name: scheme.name, opens: opens, former: scheme.former)
        }
    }

    // MARK: - Parts

    /// Leaves what an app has made, and others of the home still use, to one of those: the last takes it away.
    private func leaveRest(of gone: DesktopRecord, by id: String) throws {
        let folders = gone.folders.filter { access($0, F_OK) == 0 }
        let leavesDefaults = gone.madeDefaults && access(gone.defaults, F_OK) == 0
        for other in try home.apps() where other != id {
            guard var heir = try record(of: other) else { continue }
            heir.folders = folders + heir.folders.filter { !folders.contains($0) }
            if heir.defaults == gone.defaults { heir.madeDefaults = heir.madeDefaults || leavesDefaults }
            return try write(heir, of: other)
        }
    }

    private func installServices(_ app: App, _ record: inout DesktopRecord) throws {
        guard !app.service.isEmpty else { return }
        // One that `apps add --exec` wrote stays when the app leaves the desktop.
        if !record.hasOwnService { record.hasOwnService = try !BusService.isInstalled(app.id, home: home.path) }
        if record.hasOwnService { try BusService.install(app.id, start: app.service, home: home.path) }
        // Only the default home uses the session bus.
        guard home.isDefault else { return }
        let path = folders.service(app.id)
        if !record.services.contains(path) { record.services.append(path) }
        record.folders += try PlainFile(path: path).write(BusService.text(app.id, app.sessionService))
    }

    /// Refuses to write over an entry that this home did not write.
    private func requireOwnEntry(_ id: String) throws {
        let path = folders.entry(id)
        guard let text = try PlainFile(path: path).read() else { return }
        guard let owner = DesktopEntry.home(in: text) else {
            throw Fault(
                .desktopEntryTaken, "The desktop has an entry of that name that is not ours: \(path)",
                next: "Move it away, or give the app another id.")
        }
        guard Home.resolved(owner) == Home.resolved(home.path) else {
            throw Fault(
                .desktopEntryTaken, "\(id) of another home is installed in the desktop: \(owner)",
                next: "Uninstall it there first: countersign-client apps uninstall --home \(owner)")
        }
    }

    /// The desktop entry that opens a scheme's URLs now.
    private func defaultEntry(for scheme: String) throws(Fault) -> String? {
        let type = DesktopEntry.type(of: scheme)
        for list in folders.allDefaults {
            guard let text = try PlainFile(path: list).read() else { continue }
            // The first that is there; the others may have been uninstalled.
            let there = MimeAppsList(text).defaultApps(for: type).first { name in
                folders.entries.contains { access("\($0)/\(name)", F_OK) == 0 }
            }
            if let there { return there }
        }
        for folder in folders.entries {
            for name in PlainFile.names(in: folder) where name.hasSuffix(".desktop") {
                if let text = try? PlainFile(path: "\(folder)/\(name)").read(), DesktopEntry.opens(scheme, in: text) {
                    return name
                }
            }
        }
        return nil
    }

    private func report(_ record: DesktopRecord, _ app: App) throws -> Report {
        var services = record.services
        if !app.service.isEmpty { services.insert(try BusService.path(app.id, home: home.path), at: 0) }
        return Report(
            entry: record.entry, services: services,
            schemes: try app.schemes.map { scheme in
                Scheme(
                    name: scheme, opens: try defaultEntry(for: scheme),
                    former: record.schemes.first { $0.name == scheme }?.former)
            })
    }

    private func recordFile(of id: String) throws(Fault) -> PrivateFile {
        try GroupName.require(id)
        return PrivateFile(path: home.layout.app(id) + "/desktop.json")
    }

    private func record(of id: String) throws -> DesktopRecord? {
        guard let bytes = try recordFile(of: id).read(atMost: 65_536) else { return nil }
        return try DesktopRecord(bytes)
    }

    private func write(_ record: DesktopRecord, of id: String) throws { try recordFile(of: id).write(record.bytes) }
}
