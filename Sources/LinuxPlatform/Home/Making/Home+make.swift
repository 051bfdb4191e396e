import Basics
import JOSE
package import Platform

extension Home {
    /// Opens the home, and makes it first where there is none.
    ///
    /// Several may do so at once: one makes it, all open it. Everything is made before `home.yaml`, so a home whose
    /// making was cut off is finished by the next start.
    ///
    /// - Parameters:
    ///   - settings: how the home is made; where there is one, they must fit it.
    ///   - list: where a new home is noted.
    /// - Throws: `issuer-fixed` when the home was made otherwise; `home-not-ours` for a folder with other content;
    ///   `address-refused`, `port-taken`, `no-free-port`; what `open` throws.
    package static func openOrCreate(
        at path: String, isDefault: Bool, settings: HomeSettings = HomeSettings(), environment: Environment,
        list: HomeList? = nil
    ) async throws -> Home {
        if let home = try existing(path, isDefault, settings) { return home }
        let layout = HomeLayout(path: path)
        let folder = try PrivateDirectory(creating: path)
        try requireOnlyOurs(folder)
        let lock = try await setupLock(layout, environment)
        defer { lock.unlock() }
        // Another start may have made it while we waited.
        if let home = try existing(path, isDefault, settings) { return home }
        let others = (try? list?.entries()) ?? []
        let choice = PortChoice(avoiding: Set(others.compactMap(\.port)), randomBytes: environment.randomBytes)
        let address = try HomeAddress(settings) { try choice.port($0, listen: $1) }
        let home = Home(
            layout, isDefault: isDefault, file: HomeFile(createdAt: environment.now(), address: address))
        try await home.makeKeys(environment)
        for part in [layout.apps, layout.logs, layout.path + "/groups"] { _ = try PrivateDirectory(creating: part) }
        try await home.openRecords().close()
        guard try PrivateFile(path: layout.description).create(home.file.bytes) else {
            throw Fault(.homeBusy, detail: "home.yaml appeared under the lock")
        }
        list?.note(home)
        // As everyone else will read it.
        return try open(at: path, isDefault: isDefault)
    }

    /// Gives the home another issuer; what belongs to the old one is the caller's to carry over.
    ///
    /// - Throws: as `openOrCreate`; `home-busy` when another start holds the lock.
    package func movingIssuer(to settings: HomeSettings, environment: Environment) async throws -> Home {
        let lock = try await Home.setupLock(layout, environment)
        defer { lock.unlock() }
        let choice = PortChoice(avoiding: [], randomBytes: environment.randomBytes)
        let address = try HomeAddress(settings) { asked, listen in
            // The home's own port is kept, and may be in use by the home itself.
            guard let asked, asked != port else { return port }
            return try choice.port(asked, listen: listen)
        }
        let file = HomeFile(createdAt: createdAt, address: address)
        try PrivateFile(path: layout.description).write(file.bytes)
        return Home(layout, isDefault: isDefault, file: file)
    }

    private static func existing(_ path: String, _ isDefault: Bool, _ settings: HomeSettings) throws(Fault) -> Home? {
        guard try FileStatus.of(path: path) != nil, try FileStatus.of(path: HomeLayout(path: path).description) != nil
        else { return nil }
        let home = try open(at: path, isDefault: isDefault)
        try HomeAddress.require(settings, fit: home.file)
        return home
    }

    /// Refuses to make a home among other files.
    private static func requireOnlyOurs(_ folder: PrivateDirectory) throws(Fault) {
        let allowed = Set(HomeLayout.names + [HomeList.fileName])
        if let other = try folder.names().first(where: { !allowed.contains($0) }) {
            throw Fault(.homeNotOurs, "\(folder.path) holds other things (\(other)) and no home.")
        }
    }

    /// Held by whoever makes or changes the home's description.
    static func setupLock(_ layout: HomeLayout, _ environment: Environment) async throws -> FileLock {
        let lock = try FileLock(path: try PrivateDirectory(creating: layout.run).path(of: "setup.lock"))
        // Half a minute in looks, not by the clock: that goes on while a machine stands still, the holder with it.
        for _ in 0..<6_000 {
            if try lock.tryLock(.exclusive) { return lock }
            try await environment.sleep(for: .milliseconds(5))
        }
        throw Fault(
            .homeBusy, "Another program has been setting up this home for a long time: \(layout.path)",
            next: "Look for a countersign program that hangs, and end it.")
    }
}
