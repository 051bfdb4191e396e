import Basics
import FoundationEssentials
import JOSE
import LinuxPlatform
import Platform

/// ES256 as the product does it, beside what `openssl speed` gets on the same core.
struct SignatureBench: Sendable {
    let isQuick: Bool

    func run() async throws -> [BenchRow] {
        let key = try SigningKey.generate(.es256)
        let message = [UInt8](repeating: 7, count: 300)
        let signature = try key.sign(message)
        let verification = key.verificationKey
        let rounds = isQuick ? 200 : 20_000
        let signing = try rate(rounds) { _ = try key.sign(message) }
        let verifying = try rate(rounds / 2) {
            guard verification.isValid(signature, for: message) else { throw Fault(.benchFailed) }
        }
        var rows = [
            BenchRow("ES256 sign", unit: "1/s", value: signing),
            BenchRow("ES256 verify", unit: "1/s", value: verifying),
        ]
        if let peer = try await opensslSpeed() {
            rows.append(BenchRow("ES256 sign, ratio to openssl speed", unit: "ratio", value: signing / peer.sign))
            rows.append(BenchRow("ES256 verify, ratio to openssl speed", unit: "ratio", value: verifying / peer.verify))
        }
        return rows
    }

    private func rate(_ rounds: Int, _ work: () throws -> Void) throws -> Double {
        for _ in 0..<rounds / 10 { try work() }
        let start = ContinuousClock.now
        for _ in 0..<rounds { try work() }
        return Double(rounds) / (ContinuousClock.now - start).seconds
    }

    /// What `openssl speed` says, where the program is installed.
    private func opensslSpeed() async throws -> (sign: Double, verify: Double)? {
        let command = ChildCommand("openssl", ["speed", "-seconds", "1", "-mr", "ecdsap256"])
        guard let child = try? await LinuxChildProcesses().start(command) else { return nil }
        async let errors: Void = drain(child.errorLines)
        var result: (sign: Double, verify: Double)?
        for await line in child.outputLines where line.hasPrefix("+F4:") {
            // +F4:index:bits:signatures a second:verifications a second
            let numbers = line.split(separator: ":").compactMap { Double($0) }
            if numbers.count >= 4, numbers[2] > 0, numbers[3] > 0 { result = (numbers[2], numbers[3]) }
        }
        _ = await errors
        _ = await child.exit()
        return result
    }

    private func drain(_ lines: AsyncStream<String>) async {
        for await _ in lines {}
    }
}
