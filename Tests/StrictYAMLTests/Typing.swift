import Basics
import StrictYAML
import Testing

private func node(_ text: String) throws -> YAMLNode { try YAMLNode(parsing: text, file: "f") }

private func refusal(_ read: () throws(Fault) -> Void) -> String? {
    do throws(Fault) {
        try read()
        return nil
    } catch {
        return error.text
    }
}

struct Typing {
    @Test func `a truth value is true or false, exactly so and unquoted`() throws {
        let node = try node("a: true\nb: false\nc: True\nd: 'true'\ne: 1\n")
        #expect(try node.bool(at: "a") == true)
        #expect(try node.bool(at: "b") == false)
        for key in ["c", "d", "e"] { #expect(throws: Fault(.invalidYAML)) { try node.bool(at: key) } }
    }

    @Test func `a whole number has no plus sign, no leading zero and no quotation marks`() throws {
        let node = try node(
            "a: 12\nb: -3\nc: 0\nd: 012\ne: +1\nf: '1'\ng: 1.0\nh: 0x10\ni: 1_000\nj: 99999999999999999999\n")
        #expect(try node.int(at: "a") == 12)
        #expect(try node.int(at: "b") == -3)
        #expect(try node.int(at: "c") == 0)
        for key in ["d", "e", "f", "g", "h", "i", "j"] {
            #expect(throws: Fault(.invalidYAML)) { try node.int(at: key) }
        }
    }

    @Test func `a text may look like a number and keeps its digits, but not like a truth value or nothing`() throws {
        let node = try node("a: 0123\nb: true\nc: null\nd:\ne: 'true'\nf: ''\n")
        #expect(try node.string(at: "a") == "0123")
        for key in ["b", "c", "d"] { #expect(throws: Fault(.invalidYAML)) { try node.string(at: key) } }
        #expect(try node.string(at: "e") == "true")
        #expect(try node.string(at: "f") == "")
    }

    @Test func `a missing key is nil where it may be missing and refused at its mapping where not`() throws {
        let node = try node("- a: 1\n  c: 2\n").asList()[0]
        #expect(try node.string(at: "b") == nil)
        #expect(
            refusal { () throws(Fault) in _ = try node.requiredString(at: "b") }
                == "f:1:3: the key “b” is missing here.")
        #expect(try node.requiredInt(at: "a") == 1)
    }

    @Test func `a value of the wrong kind is refused at its place, also where it may be missing`() throws {
        let node = try node("a: [1]\nb: {c: d}\ne: f\n")
        #expect(
            refusal { () throws(Fault) in _ = try node.string(at: "a") } == "f:1:4: a text is wanted here, not a list.")
        #expect(
            refusal { () throws(Fault) in _ = try node.list(at: "b") } == "f:2:4: a list is wanted here, not a mapping."
        )
        #expect(
            refusal { () throws(Fault) in _ = try node.mapping(at: "e") }
                == "f:3:4: a mapping is wanted here, not a text.")
        #expect(refusal { () throws(Fault) in _ = try node.required("e").required("x") }?.hasPrefix("f:3:4:") == true)
        #expect(try node.requiredMapping(at: "b").requiredString(at: "c") == "d")
    }

    @Test func `an unknown key is refused at its place and the nearest named`() throws {
        let node = try node("id: a\nredirct: b\n")
        #expect(
            refusal { () throws(Fault) in try node.expectKeys(["id", "redirect"]) }
                == "f:2:1: the key “redirct” is not known here; did you mean “redirect”?")
        #expect(
            refusal { () throws(Fault) in try node.expectKeys(["id", "name"]) }
                == "f:2:1: the key “redirct” is not known here; known here: id, name.")
        #expect(refusal { () throws(Fault) in try node.expectKeys(["id", "redirct", "more"]) } == nil)
    }

    @Test func `a word from a closed list is taken, another refused with the nearest`() throws {
        let node = try node("a: silent\nb: silnt\n")
        #expect(try node.required("a").asOne(of: ["ask", "silent"]) == "silent")
        #expect(
            refusal { () throws(Fault) in _ = try node.required("b").asOne(of: ["ask", "silent"]) }
                == "f:2:4: “silnt” is none of ask, silent. Did you mean “silent”?")
    }
}

struct Writing {
    @Test func `a manifest is written in block style and read back the same`() throws {
        let text = YAMLWriter.text([
            "id": "com.example.notes", "schemes": ["notes", "no"], "exec": [], "entry": ["uri": "https://a.example/x"],
            "port": 8443, "test": true,
        ])
        #expect(
            text == """
                id: com.example.notes
                schemes:
                  - notes
                  - "no"
                exec: []
                entry:
                  uri: "https://a.example/x"
                port: 8443
                test: true

                """)
        #expect(
            try node(text).jsonValue == [
                "id": "com.example.notes", "schemes": ["notes", "no"], "exec": [],
                "entry": ["uri": "https://a.example/x"], "port": 8443, "test": true,
            ])
    }

    @Test(arguments: [
        "", "yes", "true", "null", "~", "12", "-1", ".inf", "a: b", "- a", "#x", "a #b", " a", "a ", "'", "\"", "\\",
        "a\nb",
        "\t", "\r\n", "é", "e\u{301}", "😀", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{FFFF}",
        "\u{10FFFF}", "!x", "&x", "*x", "<<", "%", "@", "`", "{", "[", "0123", "=", "ﬁ",
    ])
    func `every text comes back as it was, as a value, as an element and as a key`(text: String) throws {
        let written = YAMLWriter.text([
            "value": .text(text), "list": [.text(text), [.text(text)]], "map": .mapping([(text, .text("x"))]),
        ])
        let read = try node(written)
        #expect(try read.requiredString(at: "value").unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(try read.requiredList(at: "list")[0].asString() == text)
        #expect(try read.requiredList(at: "list")[1].asStrings() == [text])
        #expect(try read.requiredMapping(at: "map").asPairs()[0].key == text)
    }

    @Test func `every Unicode value comes back, alone and beside letters`() throws {
        for start in stride(from: UInt32(0), to: 0x30000, by: 0x400) {
            let scalars = (start..<start + 0x400).compactMap { Unicode.Scalar($0) }
            let text = scalars.map { "a\(String(Character($0)))b" }.joined()
            guard !text.isEmpty else { continue }
            let read = try node(YAMLWriter.text(.list([.text(text)]))).asStrings()[0]
            #expect(read.unicodeScalars.elementsEqual(text.unicodeScalars), "from U+\(String(start, radix: 16))")
        }
    }

    @Test func `lists of mappings and mappings of lists come back`() throws {
        let value: YAMLWriter.Value = [["a": ["b", ["c": "d"]]], [], [:], [[["x"]]]]
        #expect(try node(YAMLWriter.text(value)).jsonValue == [["a": ["b", ["c": "d"]]], [], [:], [[["x"]]]])
    }
}
