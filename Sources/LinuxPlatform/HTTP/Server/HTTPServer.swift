import Basics
package import Platform
import Synchronization

/// An HTTP/1.1 server on libevent loops, with a gate in front of its handler.
///
/// The gate lets a request through when it is well formed to the letter, names this server's authority, keeps to the
/// limits and arrives in time. A handler is a plain async function; it runs as a task that prefers the loop its
/// connection is on. libevent carries the bytes; the reading of HTTP is the gate's own, so that there is one reader
/// and no second one that could understand a request differently.
package final class HTTPServer: Sendable {
    /// What `Host` must be, in lower case.
    package let authority: String
    /// The port of the first TCP address.
    package let port: UInt16?

    private let sockets: [ListeningSocket]
    private let workers: [HTTPWorker]

    private init(authority: String, port: UInt16?, sockets: [ListeningSocket], workers: [HTTPWorker]) {
        self.authority = authority
        self.port = port
        self.sockets = sockets
        self.workers = workers
    }

    /// Listens at every address and accepts on every loop; returns when it does.
    ///
    /// - Throws: `port-taken` with the port and, where it can be found, the program that holds it;
    ///   `address-unavailable`; `tls-identity-unusable`; `loop-unavailable`.
    package static func start(
        _ configuration: HTTPServerConfiguration, handler: any HTTPHandler, loops: [EventLoop]
    ) async throws -> HTTPServer {
        let tls = try configuration.tls.map(TLSServerContext.init)
        var sockets: [ListeningSocket] = []
        do {
            for address in configuration.addresses {
                switch address {
                case .loopback(let port): sockets += try ListeningSocket.loopback(port: port)
                case .tcp(let address, let port): sockets.append(try .tcp(address: address, port: port))
                case .unix(let path): sockets.append(try .unix(path: path))
                }
            }
            let port = sockets.lazy.compactMap(\.port).first
            let authority = try text(of: configuration.authority, port: port)
            let service = HTTPService(
                handler: handler, authority: Array(authority.utf8), limits: configuration.limits, tls: tls)
            let workers = loops.map { HTTPWorker($0, service) }
            let server = HTTPServer(authority: authority, port: port, sockets: sockets, workers: workers)
            do {
                for worker in workers {
                    let sockets = sockets
                    try await worker.loop.run { try worker.open(sockets) }
                }
            } catch {
                await server.stop(grace: .zero)
                throw error
            }
            // From here on the socket listens as long as a loop accepts from it.
            for socket in sockets { socket.close() }
            return server
        } catch {
            for socket in sockets { socket.removeFile() }
            throw error
        }
    }

    /// Stops accepting, closes idle connections, lets open requests end within `grace`, and ends the rest.
    package func stop(grace: Duration) async {
        // In two rounds: a socket listens as long as any loop accepts from it.
        await onLoops { $0.stopAccepting() }
        await onLoops { await $0.drain(grace: grace) }
        for socket in sockets { socket.removeFile() }
    }

    private func onLoops(_ body: @escaping @Sendable (HTTPWorker) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for worker in workers { group.addTask(executorPreference: worker.loop) { await body(worker) } }
        }
    }

    private static func text(of authority: HTTPServerConfiguration.Authority, port: UInt16?) throws -> String {
        switch authority {
        case .exactly(let text): return text.lowercased()
        case .host(let host):
            guard let port else {
                throw Fault(.addressUnavailable, "A server without a TCP address has no port to name itself by.")
            }
            return "\(host):\(port)".lowercased()
        }
    }
}

extension ListeningSocket {
    fileprivate var port: UInt16? {
        guard case .tcp(_, let port) = place else { return nil }
        return port
    }
}

/// What the workers of one server share.
final class HTTPService: Sendable {
    let handler: any HTTPHandler
    let authority: [UInt8]
    let limits: HTTPLimits
    let tls: TLSServerContext?
    private let connections = Atomic<Int>(0)

    init(handler: any HTTPHandler, authority: [UInt8], limits: HTTPLimits, tls: TLSServerContext?) {
        self.handler = handler
        self.authority = authority
        self.limits = limits
        self.tls = tls
    }

    /// Counts one connection more, unless the server is full.
    func admit() -> Bool {
        guard connections.add(1, ordering: .relaxed).newValue <= limits.connections else {
            release()
            return false
        }
        return true
    }

    /// Counts one connection less.
    func release() { connections.subtract(1, ordering: .relaxed) }
}
