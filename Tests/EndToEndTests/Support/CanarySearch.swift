import Basics
import FoundationEssentials
import JOSE

/// Looks for secrets in files, in every form in which a program may have written them.
struct CanarySearch {
    /// The forms to look for, each with its name.
    private let forms: [(name: String, bytes: [UInt8])]

    init(_ secrets: [String: String]) {
        forms = secrets.sorted { $0.key < $1.key }.flatMap { name, secret in
            CanarySearch.forms(of: secret).map { ("\(name), \($0.key)", $0.value) }
        }
    }

    /// The forms of one secret.
    static func forms(of secret: String) -> [String: [UInt8]] {
        let bytes = Array(secret.utf8)
        var forms: [String: [UInt8]] = [
            "plain": bytes, "percent-encoded": Array(percentEncoded(bytes).utf8),
            "as a form field": Array(percentEncoded(bytes).replacing("%20", with: "+").utf8),
            "in a JSON string": Array(JSONValue.string(secret).serializedText.dropFirst().dropLast().utf8),
            "hexadecimal": Array(bytes.map { hexadecimal($0) }.joined().lowercased().utf8),
            "base64": Array(Data(bytes).base64EncodedString().filter { $0 != "=" }.utf8),
        ]
        // Inside a longer text, base64 depends on where in it the secret begins; its inner characters do not.
        for offset in 0..<3 {
            let shifted = Base64URL.encode([UInt8](repeating: 0, count: offset) + bytes)
            forms["base64url at \(offset)"] = Array(shifted.utf8.dropFirst(offset == 0 ? 0 : 4).dropLast(2))
        }
        return forms
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + hexadecimal(byte)
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0" + text : text
    }

    /// What was found in some bytes: the names of the forms.
    func findings(in bytes: [UInt8]) -> [String] {
        forms.filter { form in
            bytes.count >= form.bytes.count && bytes.firstRange(of: form.bytes) != nil
        }.map(\.name)
    }

    /// What was found in the files of a folder, and what a JOSE part or another base64url run in them hides.
    func findings(under folder: String) throws -> [String] {
        var found: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let path = folder + "/" + name
            var isFolder = false
            // Sockets have no bytes to read.
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder,
                let data = try? Data(contentsOf: URL(filePath: path))
            else { continue }
            found += findings(throughout: [UInt8](data)).map { "\(name): \($0)" }
        }
        return found
    }

    /// What was found in some bytes, and in what they hide: a JOSE part or another base64url run, a percent-escaped
    /// text, and those inside one another.
    func findings(throughout bytes: [UInt8], depth: Int = 4) -> [String] {
        var found = findings(in: bytes)
        guard depth > 0 else { return found }
        for run in CanarySearch.base64Runs(in: bytes) {
            found += findings(throughout: run, depth: depth - 1).map { "\($0), inside base64url" }
        }
        if let plain = CanarySearch.unescaped(bytes) {
            found += findings(throughout: plain, depth: depth - 1).map { "\($0), inside percent-escapes" }
        }
        return found
    }

    /// The bytes with their percent-escapes read; `nil` where there are none.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8]? {
        var plain: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
                plain.append(value)
                rest = rest.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        return plain.count < bytes.count ? plain : nil
    }

    /// The decoded runs of base64url characters.
    private static func base64Runs(in bytes: [UInt8]) -> [[UInt8]] {
        bytes.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte != UInt8(ascii: "-")
                && byte != UInt8(ascii: "_")
        }.filter { $0.count >= 16 }.compactMap { try? Base64URL.decode(String(decoding: $0, as: UTF8.self)) }
    }
}
