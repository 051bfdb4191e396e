/// Moduli whose primes came from a known bad generator.
enum RSAWeakness {
    private static let primes = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    /// For each prime, the residues that powers of 65537 have.
    private static let residues: [Set<Int>] = primes.map { prime in
        var powers: Set<Int> = []
        var power = 1
        while powers.insert(power).inserted { power = power * 65_537 % prime }
        return powers
    }

    /// Whether the modulus has the mark of ROCA (CVE-2017-15361): modulo every small prime it is a power of 65537, so
    /// its factors can be found.
    ///
    /// A sound modulus has that mark once in some 2^27.
    static func hasROCAMark(_ modulus: [UInt8]) -> Bool {
        zip(primes, residues).allSatisfy { prime, powers in
            powers.contains(modulus.reduce(0) { ($0 * 256 + Int($1)) % prime })
        }
    }
}
