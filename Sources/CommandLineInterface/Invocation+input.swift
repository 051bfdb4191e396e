package import Basics

extension Invocation {
    /// The secret that an option or argument points to: `@FILE`, or `-` for standard input.
    ///
    /// For an option that ends in `-file` the value is the path itself.
    ///
    /// One line feed at the end belongs to the file, not to the secret. A file that others may read is remarked on.
    ///
    /// - Throws: `Fault` with code `secret-in-argument` where the value itself stands on the command line,
    ///   `unreadable-input` where nothing can be read.
    package func readSecret(_ name: String) throws(Fault) -> Secret<String>? {
        guard let value = name.hasPrefix("--") ? option(name) : optionalArgument(name) else { return nil }
        let source = try secretSource(name, value)
        let file = try read(source, limit: 65_536)
        if file.othersMayRead {
            output.talk("note: \(source.name) can be read by other users; chmod 600 would end that.")
        }
        let text = try decoded(file.bytes, from: source)
        let secret = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard !secret.isEmpty else {
            throw Fault(.unreadableInput, "\(source.name) is empty, and a secret is wanted.")
        }
        return Secret(secret)
    }

    /// The text that an option or argument gives: itself, `@FILE`, or `-` for standard input.
    ///
    /// White space around what a file holds is dropped.
    package func readText(_ name: String) throws(Fault) -> String? {
        guard let value = name.hasPrefix("--") ? option(name) : optionalArgument(name) else { return nil }
        guard let source = InputReference(value) else { return value }
        let text = try decoded(try read(source, limit: 1_048_576).bytes, from: source)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// The words that a repeated argument gives: itself, or what stands in `@FILE` or on standard input, divided by
    /// white space.
    package func readTexts(_ name: String) throws(Fault) -> [String] {
        var texts: [String] = []
        for value in arguments(name) {
            guard let source = InputReference(value) else {
                texts.append(value)
                continue
            }
            let text = try decoded(try read(source, limit: 1_048_576).bytes, from: source)
            texts += text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        guard !texts.isEmpty else { throw Fault(.unreadableInput, "\(name): there is nothing in it.") }
        return texts
    }

    private func secretSource(_ name: String, _ value: String) throws(Fault) -> InputReference {
        if name.hasSuffix("-file") { return value == "-" ? .standardInput : .file(value) }
        // The value is not repeated: it may be the secret.
        guard let source = InputReference(value) else {
            throw Fault(
                .secretInArgument, "\(name): a secret stands on the command line, where other users can read it.")
        }
        return source
    }

    private func read(_ source: InputReference, limit: Int) throws(Fault) -> InputFile {
        switch source {
        case .standardInput:
            InputFile(bytes: try input.readStandardInput(limit: limit), othersMayRead: false)
        case .file(let path): try input.readFile(path, limit: limit)
        }
    }

    private func decoded(_ bytes: [UInt8], from source: InputReference) throws(Fault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(.unreadableInput, "\(source.name) is not text in UTF-8.")
        }
        return text
    }
}

/// Where a value comes from that does not stand on the command line.
private enum InputReference {
    case standardInput
    case file(String)

    /// Reads `-` and `@FILE`; nil for a value that is itself.
    init?(_ value: String) {
        if value == "-" {
            self = .standardInput
        } else if value.hasPrefix("@"), value.count > 1 {
            self = .file(String(value.dropFirst()))
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): path
        }
    }
}
