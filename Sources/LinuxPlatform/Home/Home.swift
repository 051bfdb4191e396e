package import Basics
package import Platform

/// The folder of one device: its authority, keys, issuer, registries, apps, logs and bus.
///
/// The value holds what `home.yaml` said when it was opened; everything else is read when it is asked for.
package struct Home: Sendable {
    /// The folder, as an absolute path.
    package var path: String { layout.path }
    /// Whether it is the user's default home, which alone uses the session bus unasked.
    package let isDefault: Bool
    /// Where everything in it is.
    package let layout: HomeLayout
    /// What `home.yaml` says.
    package let file: HomeFile

    init(_ layout: HomeLayout, isDefault: Bool, file: HomeFile) {
        self.layout = layout
        self.isDefault = isDefault
        self.file = file
    }

    /// Opens a home that has been made.
    ///
    /// - Throws: `home-missing` where there is none; `home-too-new` or `invalid-yaml` for a `home.yaml` that this
    ///   program cannot read, which is left as it is; `unsafe-permissions` or `unsafe-path` when others can reach it.
    package static func open(at path: String, isDefault: Bool) throws(Fault) -> Home {
        let layout = HomeLayout(path: path)
        guard let folder = try FileStatus.of(path: path) else { throw missing(path) }
        // Nobody is told to close a folder that is no home.
        if folder.form == .directory, try FileStatus.of(path: layout.description) == nil { throw missing(path) }
        _ = try PrivateDirectory(existing: path)
        guard let bytes = try PrivateFile(path: layout.description).read(atMost: 65_536) else { throw missing(path) }
        return Home(layout, isDefault: isDefault, file: try HomeFile(parsing: bytes, file: layout.description))
    }

    /// Opens the store of the registries and the provider.
    package func openRecords() throws -> SQLiteStore { try SQLiteStore(path: layout.records) }

    /// Opens the home's own secrets; the caller closes them.
    package func openSecrets(_ environment: Environment) async throws -> FileSecretStore {
        guard try FileStatus.of(path: layout.secrets) != nil else {
            throw Fault(.homeIncomplete, "The home's secrets are missing: \(layout.secrets)")
        }
        return try await FileSecretStore.open(directory: layout.secrets, environment: environment)
    }

    private static func missing(_ path: String) -> Fault {
        Fault(.homeMissing, "There is no home in \(path).")
    }
}

extension Home {
    package var issuer: String { file.issuer }
    package var port: UInt16 { file.port }
    package var createdAt: Timestamp { file.createdAt }
    package var isTLS: Bool { file.tls }

    /// Host and port of the issuer, as a `Host` field has them.
    package var authority: String {
        // Every issuer has been read by `URLParts` before it came into a `HomeFile`.
        URLParts(issuer)?.authority ?? ""
    }
}
