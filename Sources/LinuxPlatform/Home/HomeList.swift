import Basics
import Glibc
import Platform

/// The homes that this user has made: `countersign/homes.json` in the XDG state directory.
package struct HomeList: Sendable {
    static let fileName = "homes.json"

    /// One home, as it is now.
    package struct Entry: Sendable, Equatable {
        package let path: String
        package let isDefault: Bool
        /// The issuer; `nil` where `home.yaml` cannot be read.
        package let issuer: String?
        /// Why it cannot be read.
        package let problem: String?
        /// Whether a program uses its bus now.
        package let isRunning: Bool

        let port: UInt16?
    }

    private let folder: String
    private let folders: DesktopFolders

    /// Names the list; nothing is opened.
    package init(variables: [String: String]) {
        folder = Home.stateDirectory(variables)
        folders = DesktopFolders(variables: variables)
    }

    /// All noted homes that still exist, and the default one, sorted by path.
    ///
    /// - Throws: `home-too-new` when a newer program wrote the list, `invalid-json` when it is damaged.
    package func entries() throws -> [Entry] {
        var paths = Set(try noted())
        paths.insert(Home.resolved(folder))
        return paths.sorted().compactMap { path in
            guard access(HomeLayout(path: path).description, F_OK) == 0 else { return nil }
            let isRunning = HomeUse.isRunning(path)
            do throws(Fault) {
                let home = try Home.open(at: path, isDefault: isDefault(path))
                return Entry(
                    path: path, isDefault: home.isDefault, issuer: home.issuer, problem: nil, isRunning: isRunning,
                    port: home.port)
            } catch {
                return Entry(
                    path: path, isDefault: isDefault(path), issuer: nil, problem: error.text, isRunning: isRunning,
                    port: nil)
            }
        }
    }

    /// Notes a home. The list is a convenience: where it cannot be written, the home is as good without it.
    package func note(_ home: Home) {
        try? change { paths in
            paths = paths.filter { access(HomeLayout(path: $0).description, F_OK) == 0 }
            paths.insert(Home.resolved(home.path))
        }
    }

    /// Removes a home with everything in it, and takes it off the list.
    ///
    /// - Throws: `home-missing` or what `Home.open` throws when the folder is not a home of ours; `home-busy` while a
    ///   program uses it.
    package func remove(_ path: String) async throws {
        let home = try Home.open(at: path, isDefault: isDefault(path))
        let resolved = Home.resolved(path)
        try await HomeUse.whileUnused(path) {
            // What its apps put into the desktop would point at nothing.
            let desktop = DesktopInstallation(home, folders: folders)
            for app in (try? home.apps()) ?? [] { _ = try? desktop.uninstall(app) }
            // The description goes last: until then it says whose the rest is.
            for name in HomeLayout.names.reversed() where name != "home.yaml" {
                _ = try Home.removeAll(path + "/" + name)
            }
            _ = try Home.removeAll(home.layout.description)
        }
        // What is not ours stays, and its folder with it.
        rmdir(path)
        try change { $0.remove(resolved) }
    }

    private func isDefault(_ path: String) -> Bool { Home.resolved(path) == Home.resolved(folder) }

    private func noted() throws -> [String] {
        guard try FileStatus.of(path: folder) != nil,
            let bytes = try PrivateDirectory(existing: folder).file(HomeList.fileName).read(atMost: 1 << 20)
        else { return [] }
        let json = try JSONValue(parsing: bytes)
        guard json["schemaVersion"] == 1, let paths = json["homes"]?.arrayValue?.compactMap(\.stringValue) else {
            throw Fault(.homeTooNew, "The list of homes was written by a newer version: \(folder)/\(HomeList.fileName)")
        }
        return paths
    }

    private func change(_ body: (inout Set<String>) -> Void) throws {
        let folder = try PrivateDirectory(creating: folder)
        try folder.withLock {
            let before = Set(try noted())
            var paths = before
            body(&paths)
            guard paths != before else { return }
            let json: JSONValue = ["schemaVersion": 1, "homes": .array(paths.sorted().map { .string($0) })]
            try folder.file(HomeList.fileName).write(json.serialized())
        }
    }
}
