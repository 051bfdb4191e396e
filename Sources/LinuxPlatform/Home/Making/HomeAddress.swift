import Basics
import Platform

/// The address of a home's provider: its issuer, and where it listens.
struct HomeAddress: Equatable {
    let issuer: String
    let port: UInt16
    let listen: String?
    let tls: Bool

    /// Works out the address, and picks a port where none is asked for.
    ///
    /// - Throws: `address-refused`, and what `choosePort` throws.
    init(
        _ settings: HomeSettings, choosePort: (_ asked: UInt16?, _ listen: String?) throws -> UInt16
    ) throws {
        let asked = try Asked(settings)
        port = try choosePort(asked.port, asked.listen)
        listen = asked.listen
        tls = settings.tls
        issuer = asked.publicURL ?? "\(settings.tls ? "https" : "http")://localhost:\(port)"
    }

    /// Refuses settings that would change the address of a home that has been made.
    ///
    /// - Throws: `issuer-fixed`, `address-refused`.
    static func require(_ settings: HomeSettings, fit file: HomeFile) throws(Fault) {
        let asked = try Asked(settings)
        func refuse(_ what: String) -> Fault { Fault(.issuerFixed, "\(what). The home's issuer is \(file.issuer).") }
        if let url = asked.publicURL, url != file.issuer { throw refuse("--public-url \(url) is another issuer") }
        if let port = asked.port, port != file.port { throw refuse("Port \(port) is not the home's, \(file.port)") }
        if settings.tls, !file.tls { throw refuse("The home was made without --tls") }
        if settings.listen != nil, asked.listen != file.listen {
            throw refuse("The home was made to listen at \(file.listen ?? "the loopback")")
        }
    }

    /// Reads an issuer: scheme, host and port, nothing else; http for this machine alone.
    ///
    /// - Throws: `address-refused`.
    static func origin(_ text: String) throws(Fault) -> String {
        guard let url = URLParts(text), ["http", "https"].contains(url.scheme), url.path == "/", url.query == nil,
            url.fragment == nil
        else {
            throw Fault(.addressRefused, "“\(text)” is not a plain origin: scheme, host and port.")
        }
        guard url.scheme == "https" || isLoopback(host: url.host) else {
            throw Fault(.addressRefused, "\(text) is not on this machine's loopback, so it must be https.")
        }
        return url.origin
    }

    static func isLoopback(host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// The settings, read.
    private struct Asked {
        var publicURL: String?
        var listen: String?
        var port: UInt16?

        init(_ settings: HomeSettings) throws(Fault) {
            port = settings.port
            if let text = settings.listen {
                let place = try Asked.place(text)
                listen = place.address
                if let port, let other = place.port, port != other {
                    throw Fault(.addressRefused, "Two ports are asked for: \(port) and \(other).")
                }
                port = port ?? place.port
            }
            if let text = settings.publicURL {
                let origin = try HomeAddress.origin(text)
                if settings.tls, origin.hasPrefix("http:") {
                    throw Fault(.addressRefused, "With --tls the address begins with https: \(text)")
                }
                publicURL = origin
                // A loopback address is our own, so its port is the one to listen at; others stand in front of us.
                if let url = URLParts(origin), HomeAddress.isLoopback(host: url.host) {
                    let own = url.port ?? (url.scheme == "https" ? 443 : 80)
                    port = port ?? UInt16(exactly: own)
                }
            }
            let isSecure = settings.tls || publicURL?.hasPrefix("https:") == true
            guard listen == nil || isSecure else {
                throw Fault(
                    .addressRefused, "\(listen ?? "") is not this machine's loopback, so it must be https.",
                    next: "Add --tls, or --public-url with the https address that stands in front of it.")
            }
        }

        /// An address with or without a port; no address where it is the loopback.
        private static func place(_ text: String) throws(Fault) -> (address: String?, port: UInt16?) {
            var address = Substring(text)
            var port: UInt16?
            let isBracketed = text.hasPrefix("[")
            let hasOneColon = text.count { $0 == ":" } == 1
            if let colon = text.lastIndex(of: ":"), hasOneColon || (isBracketed && !text.hasSuffix("]")) {
                guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else {
                    throw Fault(.addressRefused, "“\(text)” has no port from 1 to 65535 after the colon.")
                }
                port = number
                address = text[..<colon]
            }
            if isBracketed {
                guard address.hasSuffix("]") else {
                    throw Fault(.addressRefused, "“\(text)” lacks its closing bracket.")
                }
                address = address.dropFirst().dropLast()
            }
            guard !address.isEmpty else { throw Fault(.addressRefused, "“\(text)” names no address.") }
            let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(address)
            return (isLoopback ? nil : String(address), port)
        }
    }
}
