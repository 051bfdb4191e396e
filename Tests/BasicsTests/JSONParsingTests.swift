import Basics
import Testing

@Suite struct `Strict JSON` {
    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse\n", .bool(false)), ("0", .integer(0)),
            ("-0", .integer(0)),
            ("-17", .integer(-17)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
            ("-2.5e-3", .number(-0.0025)),
            ("1E+2", .number(100)), ("\"\"", .string("")), ("[]", .array([])), ("{}", .object([:])),
            ("[1,[2],{\"a\":[]}]", .array([1, [2], ["a": []]])),
            ("{\"a\":{\"b\":null}}", .object(["a": .object(["b": .null])])),
            (#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC""#, .string("\"\\/\u{8}\u{C}\n\r\tAé€")),
        ] as [(String, JSONValue)])
    func `is read as RFC 8259 has it`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10",
        "1e999",
        "\"", "\"a", "'a'", #""\x41""#, #""\u12""#, #""\u123g""#, #""\"#, "\"\u{1}\"", "\"\n\"", "[", "[1", "[1,",
        "[1,]",
        "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{,}",
        "1 2", "null,", "[]]", "{}{}", "// a\n1", "1 // a", "/**/1", "\u{FEFF}1", "\u{A0}1",
    ])
    func `refuses what is not JSON`(text: String) {
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"a":1,"a":2}}"#, #"[{"":1,"":2}]"#,
    ])
    func `refuses a repeated name, however it is spelt`(text: String) {
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: text) }
    }

    @Test func `takes equal names in different objects, and names that differ in case`() throws {
        let value = try JSONValue(parsing: #"{"a":{"a":1},"A":{"a":2}}"#)
        #expect(value["a"]?["a"] == 1)
        #expect(value["A"]?["a"] == 2)
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\udc00\ud800""#,
        #""\ud83d\u0041""#, #""\ud83d\u""#, #""\ud83d\udE""#,
    ])
    func `refuses half of a surrogate pair`(text: String) {
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        (#""\ud83d\ude00""#, 0x1F600), (#""\uD800\uDC00""#, 0x10000), (#""\udbff\udfff""#, 0x10FFFF),
        (#""\uD7FF""#, 0xD7FF), (#""\uE000""#, 0xE000), (#""\uFFFF""#, 0xFFFF), (#""\u0000""#, 0),
    ])
    func `joins a surrogate pair`(text: String, scalar: Int) throws {
        let string = try #require(try JSONValue(parsing: text).stringValue)
        #expect(string.unicodeScalars.map { Int($0.value) } == [scalar])
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func `refuses what is not UTF-8, in values and in names`(bytes: [UInt8]) throws {
        let quote = UInt8(ascii: "\"")
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: [quote] + bytes + [quote]) }
        #expect(throws: Fault(.invalidJSON)) {
            try JSONValue(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8))
        }
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: bytes) }
        #expect(try JSONValue(parsing: [quote, 0xC3, 0xA9, quote]) == "é")
    }

    @Test func `is no deeper than the limit`() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        #expect(try JSONValue(parsing: nested(16, "[", "]")).arrayValue?.count == 1)
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: nested(17, "[", "]")) }
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: nested(30_000, "[", "]")) }
        let objects = String(repeating: #"{"a":"#, count: 15) + "{}" + String(repeating: "}", count: 15)
        #expect(try JSONValue(parsing: objects).objectValue?.count == 1)
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: "[\(objects)]") }
        let wide = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: wide, limits: .init(depth: 3)).arrayValue?.count == 100)
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: wide, limits: .init(depth: 2)) }
    }

    @Test func `is no longer than the limit`() throws {
        let text = "\"" + String(repeating: "a", count: 98) + "\""
        #expect(try JSONValue(parsing: text, limits: .init(bytes: 100)).stringValue?.count == 98)
        #expect(throws: Fault(.invalidJSON)) { try JSONValue(parsing: text, limits: .init(bytes: 99)) }
        #expect(throws: Fault(.invalidJSON)) {
            try JSONValue(parsing: "\"" + String(repeating: "a", count: 65_536) + "\"")
        }
    }

    @Test func `says where it is wrong, and never what stands there`() {
        do {
            _ = try JSONValue(parsing: #"{"token":"s3cr3t","token":"s3cr3t"}"#)
            Issue.record("it was read")
        } catch {
            #expect(error.detail?.contains("byte") == true)
            #expect(!"\(error) \(error.detail ?? "")".contains("s3cr3t"))
        }
    }
}
