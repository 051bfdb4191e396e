import Basics
import StrictYAML
import Testing

/// The text of the refusal that a file meets; nil where it is read.
func refusal(of text: String, limits: YAMLNode.Limits = .init()) -> String? {
    do throws(Fault) {
        _ = try YAMLNode(parsing: text, file: "app.yaml", limits: limits)
        return nil
    } catch {
        return error.text
    }
}

struct Reading {
    @Test func `a mapping keeps the order of the file and knows where its keys and values stand`() throws {
        let node = try YAMLNode(parsing: "id: notes\nschemes:\n  - notes\n  - memo\n", file: "app.yaml")
        let pairs = try node.asPairs()
        #expect(pairs.map(\.key) == ["id", "schemes"])
        #expect(pairs[1].keyPosition == YAMLNode.Position(file: "app.yaml", line: 2, column: 1))
        #expect(try node.requiredStrings(at: "schemes") == ["notes", "memo"])
        #expect(try node.requiredList(at: "schemes")[1].position.description == "app.yaml:4:5")
    }

    @Test func `JSON is the same model as YAML`() throws {
        let json = try YAMLNode(parsing: #"{"id":"notes","port":8443,"on":["a"],"deep":{"x":true}}"#, file: "f")
        let yaml = try YAMLNode(parsing: "id: notes\nport: 8443\n\"on\": [a]\ndeep:\n  x: true\n", file: "f")
        #expect(json.jsonValue == yaml.jsonValue)
        #expect(json.jsonValue == ["id": "notes", "port": 8443, "on": ["a"], "deep": ["x": true]])
    }

    @Test(arguments: [
        #"{"a":"\ud83d\ude00\u00e9\/\n"}"#, "{\n\t\"a\":\t[1,\t2]\n}", "{\"a\":\"x\u{2028}y\u{85}z\u{7F}\u{FEFF}\"}",
        #"["\u0000","  two  spaces  ", "\\u0041", "\"", "yes", "null"]"#, #"[-1.5e3, 0, null, false]"#, "[]", " {} ",
    ])
    func `every JSON text is read as JSON has it`(text: String) throws {
        #expect(try YAMLNode(parsing: text, file: "f").jsonValue == JSONValue(parsing: text))
    }

    @Test func `JSON keeps its lines`() throws {
        let node = try YAMLNode(parsing: "{\n\t\"a\": \"\\ud83d\\ude00\",\n\t\"b\": 1\n}", file: "f")
        #expect(try node.required("b").position == YAMLNode.Position(file: "f", line: 3, column: 7))
    }

    @Test(arguments: ["", "# nothing yet\n", "---\n"])
    func `a file without content is one null`(text: String) throws {
        #expect(try YAMLNode(parsing: text, file: "f").isNull)
        #expect(throws: Fault(.invalidYAML)) { try YAMLNode(parsing: text, file: "f").asString() }
    }

    @Test func `block texts keep their lines`() throws {
        let node = try YAMLNode(parsing: "a: |\n  one\n  two\nb: >-\n  one\n  two\n", file: "f")
        #expect(try node.string(at: "a") == "one\ntwo\n")
        #expect(try node.string(at: "b") == "one two")
    }

    @Test func `one document may begin with three dashes, a second is refused`() {
        #expect(refusal(of: "---\na: b\n") == nil)
        #expect(refusal(of: "a: b\n---\nc: d\n")?.hasPrefix("app.yaml:2:1: a second document") == true)
    }
}

struct Refusals {
    @Test func `a key that stands twice is refused with both lines`() {
        #expect(refusal(of: "a: 1\nb: 2\n") == nil)
        #expect(refusal(of: "a: 1\nb: 2\na: 3\n") == "app.yaml:3:1: the key “a” stands twice; the first is in line 1.")
        #expect(refusal(of: #"{"a": 1, "a": 2}"#) == "app.yaml:1:10: the key “a” stands twice; the first is in line 1.")
    }

    @Test func `keys of different mappings may be alike`() {
        #expect(refusal(of: "- a: 1\n- a: 2\n") == nil)
    }

    @Test(arguments: [
        ("a: &x 1\nb: 2\n", "1:4: an anchor"), ("a: *x\n", "1:4: an alias"), ("a: !!str 1\n", "1:4: a tag"),
        ("a: ! 1\n", "1:4: a tag"), ("a: !mine {}\n", "1:4: a tag"), ("a: &x []\n", "1:4: an anchor"),
        ("a:\n  <<: {b: c}\n", "2:3: a merge key"), ("%YAML 1.1\n---\na: b\n", "1:1: directives"),
        ("%TAG ! tag:x,2000:\n---\na: b\n", "1:1: directives"), ("[a]: b\n", "1:1: a key has to be a text"),
        ("? {a: b}\n: c\n", "1:3: a key has to be a text"),
    ])
    func `what makes one text mean another is refused`(text: String, why: String) {
        #expect(refusal(of: text)?.hasPrefix("app.yaml:\(why)") == true)
    }

    @Test func `the words of merge keys and tags are text in quotation marks`() {
        #expect(refusal(of: "'<<': '*x'\nb: '!!str'\nc: '&x'\n") == nil)
    }

    @Test(arguments: ["yes", "No", "ON", "off", "y", "N"])
    func `a word that YAML 1_1 takes for a truth value has to be quoted`(word: String) throws {
        #expect(refusal(of: "a:\n  b: \(word)\n")?.hasPrefix("app.yaml:2:6: “\(word)” is a truth value") == true)
        #expect(refusal(of: "\(word): a\n")?.hasPrefix("app.yaml:1:1: “\(word)” is a truth value") == true)
        #expect(refusal(of: "- \(word)\n")?.hasPrefix("app.yaml:1:3:") == true)
        let quoted = try YAMLNode(parsing: "a: \"\(word)\"\n'\(word)': b\n", file: "f")
        #expect(try quoted.string(at: "a") == word)
        #expect(try quoted.string(at: word) == "b")
    }

    @Test(arguments: ["null", "~", "true", "False"])
    func `a key that is not text to every reader has to be quoted`(word: String) {
        #expect(refusal(of: "\(word): a\n")?.contains("as a key is not text") == true)
        #expect(refusal(of: "'\(word)': a\n") == nil)
    }

    @Test func `nesting has a limit`() {
        let limits = YAMLNode.Limits(depth: 3)
        #expect(refusal(of: "[[[a]]]", limits: limits) == nil)
        #expect(refusal(of: "[[[[a]]]]", limits: limits)?.contains("deeper than 3 levels") == true)
    }

    @Test func `very deep nesting is refused and not followed`() {
        #expect(refusal(of: String(repeating: "[", count: 50_000))?.contains("deeper than 32") == true)
        #expect(refusal(of: String(repeating: "- ", count: 5_000) + "a")?.contains("deeper than 32") == true)
    }

    @Test func `size and number of values have limits`() {
        #expect(refusal(of: "a: b", limits: .init(bytes: 4)) == nil)
        #expect(refusal(of: "a: bc", limits: .init(bytes: 4))?.contains("larger than 4 bytes") == true)
        #expect(refusal(of: "[a, b]", limits: .init(nodes: 3)) == nil)
        #expect(refusal(of: "[a, b, c]", limits: .init(nodes: 3))?.contains("more than 3 values") == true)
    }

    @Test func `text that is not UTF-8 is refused with its line`() {
        #expect(throws: Fault(.invalidYAML)) { try YAMLNode(parsing: [0x61, 0x3A, 0x20, 0xFF], file: "f") }
        do throws(Fault) {
            _ = try YAMLNode(parsing: Array("a: b\nc: ".utf8) + [0xC0, 0xAF], file: "f")
            Issue.record("read")
        } catch {
            #expect(error.text == "f:2: the text is not UTF-8.")
        }
    }

    @Test func `a control character is refused with its place`() {
        #expect(refusal(of: "a: b\nc: x\u{7}y\n")?.hasPrefix("app.yaml:2:") == true)
    }

    @Test(arguments: ["a: [1", "a: \"x", "a: b: c", "\tb: c", "a\n b: c\n - d", "- a\nb", "}"])
    func `broken syntax is refused with a place`(text: String) throws {
        let message = try #require(refusal(of: text))
        #expect(message.prefixMatch(of: /app\.yaml:[0-9]+:[0-9]+: ./) != nil)
    }

    @Test func `a refusal is an invalid file to the command line`() {
        #expect(ErrorCode.invalidYAML.kind == .invalidFile)
    }
}
