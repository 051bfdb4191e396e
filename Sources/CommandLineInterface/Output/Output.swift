package import Basics
import Synchronization

/// What a command says: data on standard output, talk on standard error.
package struct Output: Sendable {
    /// Whether standard output carries one JSON object.
    package let isJSON: Bool
    /// Whether talk is left out.
    package let isQuiet: Bool
    /// How often `-v` stands.
    package let verbosity: Int
    private let streams: any OutputStreams
    private let coloured: Set<OutputStream>
    private let failure = Failure()

    /// Makes an output by hand; `Program.run` makes it from the command line.
    package init(
        _ streams: any OutputStreams, isJSON: Bool = false, isQuiet: Bool = false, verbosity: Int = 0,
        colour: ColourChoice = .auto, environment: [String: String] = [:]
    ) {
        self.streams = streams
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.verbosity = verbosity
        coloured = Set(
            [.standardOutput, .standardError].filter {
                colour.isOn(isTerminal: streams.isTerminal($0), environment: environment)
            })
    }

    /// Prints data: what a reader or another program came for.
    ///
    /// `--quiet` does not silence it.
    ///
    /// On a terminal, control characters are shown instead of obeyed; into a pipe or a file the bytes go as they are.
    package func data(_ text: String, terminator: String = "\n") {
        let shown = streams.isTerminal(.standardOutput) ? TerminalText.shown(text) : text
        write(shown + terminator, to: .standardOutput)
    }

    /// Prints one JSON object in one line, with `schemaVersion`.
    package func json(_ members: [String: JSONValue], schemaVersion: Int64 = 1) {
        let object = JSONValue.object(members.merging(["schemaVersion": .integer(schemaVersion)]) { own, _ in own })
        write(object.serializedText + "\n", to: .standardOutput)
    }

    /// Prints a command's result: the object with `--json`, the text without.
    ///
    /// An empty text prints nothing.
    package func result(_ members: [String: JSONValue], text: String) {
        guard !isJSON else { return json(members) }
        if !text.isEmpty { data(text) }
    }

    /// Says something to the person; `--quiet` silences it.
    package func talk(_ text: String) {
        guard !isQuiet else { return }
        write(TerminalText.shown(text) + "\n", to: .standardError)
    }

    /// Says something that only `-v` asks for; `-vv` with level 2.
    package func detail(_ text: String, level: Int = 1) {
        guard verbosity >= level else { return }
        write(TerminalText.shown(text) + "\n", to: .standardError)
    }

    /// Says what `--quiet` does not silence: an error, and what to do next.
    func insist(_ text: String) { write(TerminalText.shown(text) + "\n", to: .standardError) }

    /// The text in a style, where the stream is coloured.
    ///
    /// Colour never stands alone: the text says the same.
    package func styled(_ text: String, _ style: TextStyle, on stream: OutputStream = .standardOutput) -> String {
        coloured.contains(stream) ? style.start + text + TextStyle.end : text
    }

    /// Whether something that was printed did not arrive.
    var hasFailed: Bool { failure.isSet.withLock { $0 } }

    private func write(_ text: String, to stream: OutputStream) {
        guard !streams.write(text, to: stream), stream == .standardOutput else { return }
        failure.isSet.withLock { $0 = true }
    }

    private final class Failure: Sendable {
        let isSet = Mutex(false)
    }
}

extension Output {
    /// The text in lines no longer than that.
    package static func wrapped(_ text: String, width: Int) -> [String] {
        TextLayout.wrapped(text, width: width).split(separator: "\n").map(String.init)
    }

    /// A table with aligned columns, for `data`.
    package static func table(_ headers: [String], _ rows: [[String]]) -> String {
        TextLayout.table([headers.map { $0.uppercased() }] + rows)
    }
}
