import Basics
import Testing

@testable import JOSE

@Suite struct PasswordHashTests {
    private let salt = (1...16).map { UInt8($0) }

    @Test func `scrypt has the keys of RFC 7914 §12`() throws {
        let first = try PasswordHash.scrypt(Secret("password"), salt: utf8("NaCl"), cost: .init(logN: 10, r: 8, p: 16))
        #expect(Hex.encode(first) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
        let second = try PasswordHash.scrypt(
            Secret("pleaseletmein"), salt: utf8("SodiumChloride"), cost: .init(logN: 14, r: 8, p: 1))
        #expect(Hex.encode(second) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }

    @Test func `a password matches itself alone`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"), salt: salt, cost: .quickForTests)
        #expect(try hash.matches(Secret("correct horse")))
        #expect(try !hash.matches(Secret("correct horsf")))
        #expect(try !hash.matches(Secret("")))
    }

    @Test func `the standard cost can be paid`() throws {
        let hash = try PasswordHash(of: Secret("a"), salt: salt)
        #expect(hash.text.hasPrefix("$scrypt$ln=15,r=8,p=1$AQIDBAUGBwgJCgsMDQ4PEA$"))
        #expect(try hash.matches(Secret("a")))
        PasswordHash.decoyCheck(Secret("a"), cost: .quickForTests)
    }

    @Test func `the stored form comes back`() throws {
        let hash = try PasswordHash(of: Secret("a"), salt: salt, cost: .quickForTests)
        let restored = try PasswordHash(text: hash.text)
        #expect(restored == hash && restored.text == hash.text)
        #expect(try restored.matches(Secret("a")))
    }

    @Test(arguments: [
        ("ln=10", "ln=30"), ("ln=10", "ln=0"), ("ln=10", "ln=19"), ("ln=10", "ln=+9"), ("ln=10", "ln=010"),
        ("r=8", "r=64"), ("r=8", "R=8"),
        ("p=1", "p=0"), ("p=1", "p=1,x=2"), ("$scrypt", "$argon2id"), ("$scrypt", "scrypt"),
        ("AQIDBAUGBwgJCgsMDQ4PEA", "AQID"), ("AQIDBAUGBwgJCgsMDQ4PEA", "AQIDBAUGBwgJCgsMDQ4PEA=="),
    ])
    func `a stored form that is not ours, or asks for too much, is refused`(old: String, new: String) throws {
        let text = try PasswordHash(of: Secret("a"), salt: salt, cost: .quickForTests).text
        let place = try #require(text.firstRange(of: old))
        #expect(throws: Fault(.invalidPasswordHash)) {
            try PasswordHash(text: text.replacingCharacters(in: place, with: new))
        }
        #expect(throws: Fault(.invalidPasswordHash)) { try PasswordHash(text: String(text.dropLast(2))) }
    }

    @Test func `a short salt is refused`() {
        #expect(throws: Fault(.invalidPasswordHash)) {
            try PasswordHash(of: Secret("a"), salt: Array(salt.dropLast()), cost: .quickForTests)
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in place: Range<Index>, with text: String) -> String {
        self[..<place.lowerBound] + text + self[place.upperBound...]
    }
}
