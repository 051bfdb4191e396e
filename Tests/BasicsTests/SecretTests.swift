import Basics
import FoundationEssentials
import Testing

private struct Holder {
    let name = "alice"
    let password = Secret("correct horse")
    let keys = [Secret<[UInt8]>([104, 111, 114, 115, 101])]
}

@Suite struct `A secret` {
    @Test func `shows as dots wherever it is printed or reflected`() {
        let secret = Secret("correct horse")
        var dumped = ""
        dump(Holder(), to: &dumped)
        for text in [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(Holder())", "\([secret])",
            "\(["k": secret])", "\(Optional(secret) as Any)", String(reflecting: Holder()), dumped,
        ] {
            #expect(!text.contains("horse") && !text.contains("104"))
            #expect(text.contains("•"))
        }
        #expect(dumped.contains("alice"))
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `is read by name, and compared by value`() {
        #expect(Secret("a").unmasked == "a")
        #expect(Secret("a") == Secret("a"))
        #expect(Secret("a") != Secret("b"))
        #expect(Set([Secret(1), Secret(1), Secret(2)]).count == 2)
    }

    @Test func `is stored as its value`() throws {
        let stored = try JSONEncoder().encode(["k": Secret("correct horse")])
        #expect(String(decoding: stored, as: UTF8.self) == #"{"k":"correct horse"}"#)
        #expect(try JSONDecoder().decode([String: Secret<String>].self, from: stored)["k"] == Secret("correct horse"))
    }
}
