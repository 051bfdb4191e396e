/// What is asked of a home when it is made. Later starts may repeat it, but not change it.
package struct HomeSettings: Sendable, Equatable {
    /// The issuer, where it is not to be `http://localhost:PORT`: an origin such as `https://idp.example`.
    package var publicURL: String?
    /// The numeric address to listen at, with or without a port; `nil`: the loopback.
    package var listen: String?
    /// The port to listen at; `nil`: one that is free.
    package var port: UInt16?
    /// Whether to serve https with a certificate of the home's authority.
    package var tls: Bool

    package init(publicURL: String? = nil, listen: String? = nil, port: UInt16? = nil, tls: Bool = false) {
        self.publicURL = publicURL
        self.listen = listen
        self.port = port
        self.tls = tls
    }
}
