import Basics
import Glibc
import Platform

/// Picks the port of a new home: free now, and outside the range from which the system takes ports for connections,
/// so that nobody gets it by chance while the provider is down.
struct PortChoice {
    /// Ports of other homes, which may not run now.
    let avoiding: Set<UInt16>
    let randomBytes: (Int) -> [UInt8]

    /// The port asked for, if it is free; else one that is.
    ///
    /// - Throws: `port-taken`, `address-unavailable`, `no-free-port`.
    func port(_ asked: UInt16?, listen: String?) throws -> UInt16 {
        if let asked {
            try bind(asked, listen)
            return asked
        }
        let range = PortChoice.range(ephemeral: PortChoice.ephemeralRange())
        for _ in 0..<200 {
            let bytes = randomBytes(4)
            let number = bytes.reduce(0) { $0 << 8 | UInt32($1) }
            let port = range.lowerBound + UInt16(number % UInt32(range.count))
            guard !avoiding.contains(port) else { continue }
            do {
                try bind(port, listen)
                return port
            } catch ErrorCode.portTaken { continue }
        }
        throw Fault(.noFreePort)
    }

    /// The ports to pick from, for the range that the system gives out.
    static func range(ephemeral: ClosedRange<UInt16>) -> ClosedRange<UInt16> {
        // Not from the first thousands, where well-known programs are.
        if ephemeral.lowerBound >= 12_000 {
            return max(10_000, ephemeral.lowerBound - 16_384)...ephemeral.lowerBound - 1
        }
        if ephemeral.upperBound <= 60_000 { return ephemeral.upperBound + 1...65_000 }
        return 10_000...32_000
    }

    private static func ephemeralRange() -> ClosedRange<UInt16> {
        let usual: ClosedRange<UInt16> = 32_768...60_999
        let descriptor = open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return usual }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        let numbers = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { UInt16($0) }
        guard numbers.count == 2, numbers[0] <= numbers[1] else { return usual }
        return numbers[0]...numbers[1]
    }

    /// Listens for a moment, as the provider will.
    private func bind(_ port: UInt16, _ listen: String?) throws {
        if let listen {
            _ = try ListeningSocket.tcp(address: listen, port: port)
        } else {
            _ = try ListeningSocket.loopback(port: port)
        }
    }
}
