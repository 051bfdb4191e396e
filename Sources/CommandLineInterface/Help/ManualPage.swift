extension Program {
    /// The manual page, section 1, in roff's man macros; made from the same table as help.
    package func manPage() -> String {
        var lines = [".TH \"\(Roff.text(name.uppercased()))\" 1 \"\" \"\(Roff.text("\(name) \(version)"))\""]
        lines += [".SH NAME", Roff.text("\(name) - \(summary)"), ".SH SYNOPSIS"]
        for command in visibleCommands { lines += [".PP", "\\fB\(Roff.text(usageLine(command)))\\fR"] }
        lines += [".SH COMMANDS"]
        for command in visibleCommands { lines += section(command) }
        lines += [".SH OPTIONS OF EVERY COMMAND"] + options.flatMap(paragraph)
        for topic in topics {
            lines += [".SH \(Roff.text(topic.name.uppercased()))", ".nf", Roff.text(topic.text), ".fi"]
        }
        return lines.joined(separator: "\n")
    }

    private func section(_ command: Command) -> [String] {
        var lines = [".SS \(Roff.text(usageLine(command)))", Roff.text(command.summary)]
        for example in command.examples {
            lines += [".PP", ".nf", "  \\fB\(Roff.text(example.line))\\fR", ".fi"]
            if !example.meaning.isEmpty { lines.append(Roff.text(example.meaning)) }
        }
        if let details = command.details { lines += [".PP", Roff.text(details)] }
        lines += command.positionals.flatMap { [".TP", "\\fI\(Roff.text($0.usage))\\fR", Roff.text($0.help)] }
        return lines + command.options.flatMap(paragraph)
    }

    private func paragraph(_ option: Option) -> [String] {
        [".TP", "\\fB\(Roff.text(option.usage))\\fR", Roff.text(option.meaning)]
    }
}

/// Text for roff.
private enum Roff {
    /// The text with backslashes and dashes escaped, and no line that begins like a request.
    static func text(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
            return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
        }.joined(separator: "\n")
    }
}
