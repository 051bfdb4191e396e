package import Platform

/// Opens loopback ports for one prompt or one return, on the loops of this process.
package struct LinuxLoopbackListener: LoopbackListener {
    private let loops: [EventLoop]

    /// Makes a listener that serves on these loops.
    package init(loops: [EventLoop]) { self.loops = loops }

    package func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort {
        let configuration = HTTPServerConfiguration(
            addresses: [.tcp(address: "127.0.0.1", port: 0)], authority: .host("127.0.0.1"))
        return OpenLoopbackPort(server: try await HTTPServer.start(configuration, handler: handler, loops: loops))
    }
}

private struct OpenLoopbackPort: LoopbackPort {
    let server: HTTPServer

    var origin: String { "http://\(server.authority)" }

    func close() async { await server.stop(grace: .seconds(2)) }
}
