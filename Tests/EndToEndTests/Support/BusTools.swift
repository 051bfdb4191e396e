import Testing

extension LabHome {
    /// Calls `org.freedesktop.Application.Open` of an app from outside, as any program of the session could.
    func open(_ url: String, at app: String, on bus: String) async throws {
        let call = try await RunningProgram.start(
            try #require(Tool.gdbus.path),
            [
                "call", "--address", bus, "--dest", app, "--object-path", LabHome.objectPath(app), "--method",
                "org.freedesktop.Application.Open", "['\(url)']", "{}",
            ], environment: environment)
        // The same empty answer for every input: what came of it stands in the log.
        #expect(await call.ended().expect(0).output == ["()"])
    }

    /// `org.example.app` has its object at `/org/example/app`.
    static func objectPath(_ app: String) -> String { "/" + app.split(separator: ".").joined(separator: "/") }
}
