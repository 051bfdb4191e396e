import Basics
import TestSupport
import Testing

@Suite struct `Form fields` {
    @Test func `are read in order, decoded, with a plus sign as a space`() throws {
        let fields = try FormFields(parsing: "a=1&b=x+y&c=%C3%BC%20%2B&d=&e&a=2&f=g=h")
        #expect(fields.pairs.map(\.name) == ["a", "b", "c", "d", "e", "a", "f"])
        #expect(fields.pairs.map(\.value) == ["1", "x y", "ü +", "", "", "2", "g=h"])
        #expect(fields.single("b") == "x y")
        #expect(fields.single("missing") == nil)
    }

    @Test func `that are repeated are reported, and have no single value`() throws {
        let fields = try FormFields(parsing: "x=1&y=1&x=2&z=1&y=2&x=3")
        #expect(fields.single("x") == nil)
        #expect(fields.single("z") == "1")
        #expect(fields.values("x") == ["1", "2", "3"])
        #expect(fields.repeatedNames == ["x", "y"])
        #expect(try FormFields(parsing: "x=1&y=2").repeatedNames == [])
    }

    @Test func `have names that are compared by their bytes`() throws {
        // U+212A is a K to Swift's own comparison; a filter that looks at bytes would see another name.
        let fields = try FormFields(parsing: "%E2%84%AA=kelvin&K=letter")
        #expect(fields.single("K") == "letter")
        #expect(fields.repeatedNames == [])
        #expect(fields.values("K") == ["letter"])
    }

    @Test(arguments: [
        "a=%", "a=%4", "a=%zz", "%=1", "a=%+1", "a=%C3", "a=%FF", "a=%C0%80", "a=%ED%A0%80", "a=b c", "a=ü", "a=\n",
        "a=\u{7F}",
    ])
    func `with a broken encoding are refused`(text: String) {
        #expect(throws: Fault(.invalidForm)) { try FormFields(parsing: text) }
    }

    @Test func `are limited in number`() throws {
        let many = Array(repeating: "a=1", count: 256).joined(separator: "&")
        #expect(try FormFields(parsing: many).pairs.count == 256)
        #expect(throws: Fault(.invalidForm)) { try FormFields(parsing: many + "&b=1") }
    }

    @Test(.rule("A005", "A006")) func `come back as they were sent`() throws {
        let text = (0...0x2FFF).compactMap { Unicode.Scalar($0).map(String.init) }.joined()
        let fields = FormFields([("name", text), ("&=+% ", ""), ("", "x"), ("name", "😀é")])
        let back = try FormFields(parsing: fields.encoded)
        #expect(back == fields)
        #expect(fields.encoded.utf8.allSatisfy { $0 < 0x80 && $0 != 0x20 })
        #expect(FormFields([("a b", "c*d-e._~")]).encoded == "a%20b=c%2Ad-e._~")
        #expect(try FormFields(parsing: "") == FormFields())
    }
}
