package import Platform

extension DesktopInstallation.App {
    /// An app that `countersign-client` is.
    package static func countersignClient(_ manifest: AppManifest, program: String, home: Home) -> Self {
        let place = ["--app", manifest.id, "--home", home.path]
        return ours(manifest, program, place)
    }

    /// The identity provider app of a home.
    package static func countersignIDP(_ manifest: AppManifest, program: String, home: Home) -> Self {
        let place = ["--home", home.path]
        return ours(manifest, program, place)
    }

    /// An app of somebody's own, which takes a URL as its last argument.
    package static func other(_ manifest: AppManifest) -> Self {
        Self(
            id: manifest.id, name: manifest.displayName, schemes: manifest.schemes, handler: manifest.start,
            service: manifest.start, sessionService: manifest.start)
    }

    private static func ours(_ manifest: AppManifest, _ program: String, _ place: [String]) -> Self {
        let service = [program, "activated"] + place
        return Self(
            id: manifest.id, name: manifest.displayName, schemes: manifest.schemes,
            handler: [program, "handle"] + place, service: service,
            // The variables of the session's daemon may not be those that make the home the default one.
            sessionService: service + ["--bus", "session"])
    }
}
