package import Basics
import COpenSSL

/// A password as the store keeps it: scrypt (RFC 7914) with a salt of its own.
package struct PasswordHash: Sendable, Hashable {
    /// How much work one check takes (RFC 7914 §2).
    package struct Cost: Sendable, Hashable {
        /// The logarithm to base 2 of N, the memory and time.
        package let logN: Int
        /// The block size.
        package let r: Int
        /// How many times over.
        package let p: Int

        package init(logN: Int, r: Int, p: Int) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// 32 MiB and about a tenth of a second.
        package static let standard = Cost(logN: 15, r: 8, p: 1)
        /// 1 MiB and a few milliseconds.
        package static let quickForTests = Cost(logN: 10, r: 8, p: 1)

        /// Whether this process is willing to do the work: a stored text must not be able to take all memory.
        var isAcceptable: Bool {
            (1...20).contains(logN) && (1...32).contains(r) && (1...16).contains(p) && 128 * r << logN <= 256 << 20
        }
    }

    let cost: Cost
    let salt: [UInt8]
    let hash: [UInt8]

    /// Hashes a password.
    ///
    /// The caller brings 16 random bytes of salt, and offloads this.
    ///
    /// - Throws: `invalid-password-hash` for a salt under 16 bytes or a cost out of bounds; `cryptography-failed`.
    package init(of password: Secret<String>, salt: [UInt8], cost: Cost = .standard) throws(Fault) {
        guard salt.count >= 16, cost.isAcceptable else {
            throw Fault(.invalidPasswordHash, "A password's salt has 16 bytes, and its cost is within bounds.")
        }
        self.init(cost: cost, salt: salt, hash: try PasswordHash.scrypt(password, salt: salt, cost: cost))
    }

    init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Whether that is the password, compared in constant time.
    ///
    /// Slow on purpose: callers offload it.
    ///
    /// - Throws: `cryptography-failed`.
    package func matches(_ password: Secret<String>) throws(Fault) -> Bool {
        constantTimeEqual(hash, try PasswordHash.scrypt(password, salt: salt, cost: cost))
    }

    /// The work of one check for a user that does not exist, so that the time does not say so.
    package static func decoyCheck(_ password: Secret<String>, cost: Cost = .standard) {
        let decoy = PasswordHash(
            cost: cost, salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32))
        // The answer does not matter; the time was the point.
        _ = try? decoy.matches(password)
    }

    static func scrypt(_ password: Secret<String>, salt: [UInt8], cost: Cost) throws(Fault) -> [UInt8] {
        let password = password.unmasked.utf8.map { CChar(bitPattern: $0) }
        let (n, r, p) = (UInt64(1) << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p))
        // What RFC 7914 §2 needs, and a little for OpenSSL's own.
        let memory = 128 * r * (n + p + 2) + 1024 * 1024
        var hash = [UInt8](repeating: 0, count: 32)
        guard
            EVP_PBE_scrypt(
                password, password.count, salt, salt.count, n, r, p, memory, &hash, hash.count) == 1
        else { throw Fault.openSSL("hash a password") }
        return hash
    }
}
