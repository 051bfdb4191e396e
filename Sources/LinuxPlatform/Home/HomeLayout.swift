/// Where everything in a home is.
package struct HomeLayout: Sendable, Equatable {
    /// The home's folder.
    package let path: String

    package init(path: String) { self.path = path }

    /// What the home says of itself. It is written last, so a home without it is not finished.
    package var description: String { path + "/home.yaml" }
    /// The certificate of the home's authority.
    package var authorityCertificate: String { path + "/ca/ca.pem" }
    /// The home's own secrets: the authority's key and the provider's.
    package var secrets: String { path + "/secrets" }
    /// The registries, and the provider's records.
    package var records: String { path + "/records.sqlite" }
    /// The schemes that more than one app claims.
    package var schemes: String { path + "/schemes.json" }
    /// The folders of the apps.
    package var apps: String { path + "/apps" }
    /// Locks, the bus, sockets: what holds only while programs run.
    package var run: String { path + "/run" }
    /// The logs, `APP.jsonl` each.
    package var logs: String { path + "/log" }

    /// The folder of one app; its id has been checked.
    package func app(_ id: String) -> String { apps + "/" + id }
    package func manifest(_ id: String) -> String { app(id) + "/app.yaml" }
    package func records(of id: String) -> String { app(id) + "/records.sqlite" }
    package func secrets(of id: String) -> String { app(id) + "/secrets" }
    /// The folder of one secret group.
    package func group(_ name: String) -> String { groups + "/" + name }
    /// The folders of the secret groups.
    package var groups: String { path + "/groups" }

    /// The names of all that a home may hold.
    static let names = [
        "home.yaml", "ca", "secrets", "records.sqlite", "records.sqlite-wal", "records.sqlite-shm",
        "records.sqlite-journal", "schemes.json", "apps", "groups", "log", "run",
    ]
}
