package import Basics

extension ErrorCode {
    /// The machine gave no thread or descriptor for a loop.
    package static let loopUnavailable = ErrorCode(
        "loop-unavailable", .environment, "The machine gives this process no further thread or descriptor.",
        next: "Close other programs, or raise the limits: ulimit -n -u")
    /// Somebody else listens at the address.
    package static let portTaken = ErrorCode(
        "port-taken", .environment, "Another program already listens at this address.",
        next: "Stop that program, or use another home: --home DIR")
    /// The address cannot be listened at.
    package static let addressUnavailable = ErrorCode(
        "address-unavailable", .environment, "This machine cannot listen at the address.",
        next: "Choose an address of this machine with --listen.")
    /// The server's own certificate or key does not work.
    package static let tlsIdentityUnusable = ErrorCode(
        "tls-identity-unusable", .invalidFile, "The server's certificate and key cannot be used together.",
        next: "Give a PEM certificate chain and the private key that belongs to it.")

    /// The codes of the event loops, the HTTP server and the HTTP client.
    package static let http: [ErrorCode] = [.loopUnavailable, .portTaken, .addressUnavailable, .tlsIdentityUnusable]
}
