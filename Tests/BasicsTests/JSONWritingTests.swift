import Basics
import Testing

@Suite struct `Written JSON` {
    @Test func `has no white space, sorted names, and escapes for control characters`() {
        let value: JSONValue = [
            "b": [1, true, .null, .number(1.5)], "a": "\"\\/\u{8}\n\r\t\u{0}\u{1F}\u{7F}é😀", "": .object([:]),
        ]
        #expect(
            value.serializedText
                == #"{"":{},"a":"\"\\/\u0008\n\r\t\u0000\u001f\u007fé😀","b":[1,true,null,1.5]}"#)
    }

    @Test func `of every Unicode scalar comes back byte for byte`() throws {
        var scalars: [Unicode.Scalar] = (0...0x2FFFF).compactMap(Unicode.Scalar.init)
        scalars += [0xE0001, 0xF0000, 0x10FFFD, 0x10FFFF].compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: scalars.count, by: 4_096) {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<min(start + 4_096, scalars.count)])
            let string = String(text)
            let back = try JSONValue(parsing: JSONValue.string(string).serialized())
            // By bytes: Swift's own comparison takes two spellings of one character for equal.
            #expect(back.stringValue.map { Array($0.utf8) } == Array(string.utf8))
        }
    }

    @Test func `of a name comes back as that name`() throws {
        for scalar in (0...0x24FF).compactMap(Unicode.Scalar.init) {
            let name = String(Character(scalar))
            let back = try JSONValue(parsing: JSONValue.object([name: 1]).serialized())
            #expect(back.objectValue?.keys.first.map { Array($0.utf8) } == Array(name.utf8))
        }
    }

    @Test(
        arguments: [
            .integer(.max), .integer(.min), .integer(0), .number(0.1), .number(-1e-300), .number(1.797e308),
            .number(.leastNonzeroMagnitude),
            .number(1e21), .array([[], [[]], .object([:])]), .object(["a": ["b": ["c": .null]]]), .string("e\u{301}"),
        ] as [JSONValue])
    func `comes back as the same value`(value: JSONValue) throws {
        #expect(try JSONValue(parsing: value.serialized()) == value)
        #expect(try JSONValue(parsing: value.prettyText()) == value)
    }

    @Test func `has null for what JSON cannot say`() {
        #expect(JSONValue.array([.number(.nan), .number(.infinity)]).serializedText == "[null,null]")
    }

    @Test func `of equal objects is equal text, in whatever order they were made`() {
        let names = (0..<200).map { "name \($0)" }
        let forwards = JSONValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        let backwards = JSONValue.object(Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, 1) }))
        #expect(forwards.serializedText == backwards.serializedText)
    }

    @Test func `has whole numbers where a number is whole, within what a double can hold`() {
        #expect(JSONValue.number(3).integerValue == 3)
        #expect(JSONValue.integer(.max).integerValue == .max)
        #expect(JSONValue.number(3.5).integerValue == nil)
        #expect(JSONValue.number(9_007_199_254_740_992).integerValue == nil)
        #expect(JSONValue.string("3").integerValue == nil)
    }

    @Test func `is indented for people`() {
        let value: JSONValue = ["b": [1, 2], "a": .object([:]), "c": []]
        #expect(
            value.prettyText() == """
                {
                  "a": {},
                  "b": [
                    1,
                    2
                  ],
                  "c": []
                }
                """)
    }
}
