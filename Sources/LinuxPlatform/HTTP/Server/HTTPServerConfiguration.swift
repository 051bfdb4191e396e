package import Basics

/// Where a server listens, for whom it answers, and its limits.
package struct HTTPServerConfiguration: Sendable {
    /// One place to listen at.
    package enum Address: Sendable, Equatable {
        /// 127.0.0.1, and ::1 where the machine has it, with the same port. Port 0: one that is free.
        case loopback(port: UInt16)
        /// A numeric IPv4 or IPv6 address. Port 0: one that is free.
        case tcp(address: String, port: UInt16)
        /// A socket in the file system, for the owner alone (mode 0600).
        case unix(path: String)
    }

    /// What every request's `Host` must be.
    package enum Authority: Sendable, Equatable {
        /// This text, such as `idp.example` or `localhost:4711`.
        case exactly(String)
        /// This host, with the port that the first TCP address got.
        case host(String)
    }

    package var addresses: [Address]
    package var authority: Authority
    /// Serves https, at every address, when there is one.
    package var tls: TLSIdentity?
    package var limits: HTTPLimits

    package init(
        addresses: [Address], authority: Authority, tls: TLSIdentity? = nil, limits: HTTPLimits = HTTPLimits()
    ) {
        self.addresses = addresses
        self.authority = authority
        self.tls = tls
        self.limits = limits
    }
}

/// How much, and how long, a server lets a peer.
package struct HTTPLimits: Sendable {
    /// The longest request line and header fields together.
    package var headerBytes = 16 * 1024
    package var bodyBytes = 64 * 1024
    /// Open connections, over all loops.
    package var connections = 1024
    /// From a request's first byte, or from accepting the connection, to its last byte.
    package var receive = Duration.seconds(10)
    /// From a request's last byte to its handler's answer.
    package var answer = Duration.seconds(60)
    /// For the peer to take an answer.
    package var send = Duration.seconds(30)
    /// Between two requests of one connection.
    package var idle = Duration.seconds(60)
    /// For the peer to read the last answer before its connection ends.
    package var linger = Duration.seconds(1)

    package init() {}
}

/// What a server proves itself with.
package struct TLSIdentity: Sendable {
    /// The server's certificate, then those between it and the authority.
    package var certificateChainPEM: String
    package var privateKeyPEM: Secret<String>

    package init(certificateChainPEM: String, privateKeyPEM: Secret<String>) {
        self.certificateChainPEM = certificateChainPEM
        self.privateKeyPEM = privateKeyPEM
    }
}
