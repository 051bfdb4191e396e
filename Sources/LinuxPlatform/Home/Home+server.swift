import Basics
package import Platform

/// Where the provider listens, and how the home's apps reach it.
extension Home {
    private static let socketsFile = "sockets.json"

    /// The provider's Unix socket. Its path is noted in the home, so that programs with other variables find it too.
    ///
    /// - Throws: `unsafe-permissions` or `unsafe-path` when its folder is open to others.
    package func providerSocket(variables: [String: String]) throws -> String {
        let run = try PrivateDirectory(creating: layout.run)
        return try run.withLock {
            let file = run.file(Home.socketsFile)
            if let noted = try Home.notedSocket(file) { return noted }
            // The bus's socket and this one differ in their ending alone.
            let path = String(try BusFolder(home: path).socketPath(variables: variables).dropLast(4)) + ".idp"
            let json: JSONValue = ["schemaVersion": 1, "provider": .string(path)]
            try file.write(json.serialized())
            return path
        }
    }

    /// The addresses, name, and with `--tls` the certificate that the provider's server is started with.
    package func serverConfiguration(
        variables: [String: String], environment: Environment
    ) async throws -> HTTPServerConfiguration {
        let listen: HTTPServerConfiguration.Address =
            if let address = file.listen { .tcp(address: address, port: port) } else { .loopback(port: port) }
        return HTTPServerConfiguration(
            addresses: [listen, .unix(path: try providerSocket(variables: variables))],
            authority: .exactly(authority), tls: isTLS ? try await makeTLSIdentity(environment) : nil)
    }

    /// How an app of the home sends its requests: those to the issuer go through the provider's socket.
    ///
    /// - Parameter authorityFile: the authorities to trust in place of the home's own or the machine's.
    package func clientConfiguration(
        variables: [String: String], authorityFile: String? = nil
    ) throws -> CurlHTTPClient.Configuration {
        let socket = try providerSocket(variables: variables)
        // With https in front of us only, the socket itself speaks http.
        let isPlain = issuer.hasPrefix("https:") && !isTLS
        return CurlHTTPClient.Configuration(
            authorityFile: authorityFile ?? (isTLS ? layout.authorityCertificate : nil),
            routes: [authority: isPlain ? .plainSocket(socket) : .socket(socket)])
    }

    /// The noted path, while its folder is still there and ours alone.
    private static func notedSocket(_ file: PrivateFile) throws(Fault) -> String? {
        guard let bytes = try file.read(atMost: 16_384), let json = try? JSONValue(parsing: bytes),
            json["schemaVersion"] == 1, let path = json["provider"]?.stringValue, path.hasPrefix("/"),
            let slash = path.lastIndex(of: "/"), (try? PrivateDirectory(existing: String(path[..<slash]))) != nil
        else { return nil }
        return path
    }
}
