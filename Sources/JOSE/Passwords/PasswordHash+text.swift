package import Basics

extension PasswordHash {
    /// The stored form, `$scrypt$ln=15,r=8,p=1$salt$hash`, with salt and hash in base64 without padding.
    package var text: String {
        let alphabet = Base64Alphabet.plain
        return "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(alphabet.encode(salt))$\(alphabet.encode(hash))"
    }

    /// Reads the stored form.
    ///
    /// - Throws: `invalid-password-hash`.
    package init(text: String) throws(Fault) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = PasswordHash.cost(parts[2]),
            let salt = Base64Alphabet.plain.decode(Array(parts[3].utf8)[...]), salt.count >= 16,
            let hash = Base64Alphabet.plain.decode(Array(parts[4].utf8)[...]), hash.count == 32
        else { throw Fault(.invalidPasswordHash) }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    private static func cost(_ text: Substring) -> Cost? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 3, let logN = number("ln=", numbers[0]), let r = number("r=", numbers[1]),
            let p = number("p=", numbers[2])
        else { return nil }
        let cost = Cost(logN: logN, r: r, p: p)
        return cost.isAcceptable ? cost : nil
    }

    private static func number(_ name: String, _ text: Substring) -> Int? {
        guard text.hasPrefix(name), let number = Int(text.dropFirst(name.count)) else { return nil }
        // One text for one number: no sign, no leading zero.
        return text.dropFirst(name.count) == String(number) ? number : nil
    }
}
