import Basics
import CommandLineInterface
import Testing

struct Speaking {
    @Test func `data goes to standard output, talk to standard error`() {
        let streams = CollectedStreams()
        let output = Output(streams)
        output.data("data")
        output.data("token", terminator: "")
        output.talk("talk")
        #expect(streams.standardOutput == "data\ntoken")
        #expect(streams.standardError == "talk\n")
    }

    @Test func `quiet silences talk and not data`() {
        let streams = CollectedStreams()
        let output = Output(streams, isQuiet: true)
        output.data("data")
        output.talk("talk")
        #expect(streams.standardOutput == "data\n")
        #expect(streams.standardError.isEmpty)
    }

    @Test func `what only more asks for is said from its level on`() {
        let streams = CollectedStreams()
        let output = Output(streams, verbosity: 1)
        output.detail("one")
        output.detail("two", level: 2)
        #expect(streams.standardError == "one\n")
    }

    @Test func `a result is one object with its schema's version, or a text`() async throws {
        let object = await run("apps add notes --redirect a --json")
        #expect(try JSONValue(parsing: object.output) == ["schemaVersion": 1, "id": "notes", "redirects": ["a"]])
        #expect(await run("apps add notes --redirect a").output == "notes a\n")
    }

    @Test(arguments: [
        (ColourChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
        (.auto, true, ["NO_COLOR": ""], true), (.auto, false, ["CLICOLOR_FORCE": "1"], true),
        (.auto, false, ["CLICOLOR_FORCE": "0"], false), (.auto, true, ["TERM": "dumb"], false),
        (.auto, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (.always, false, ["NO_COLOR": "1"], true),
        (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ])
    func `colour follows the option, then the environment, then the terminal`(
        choice: ColourChoice, isTerminal: Bool, environment: [String: String], isOn: Bool
    ) {
        #expect(choice.isOn(isTerminal: isTerminal, environment: environment) == isOn)
    }

    @Test func `each stream is coloured for itself`() {
        let output = Output(CollectedStreams(terminals: [.standardError]))
        #expect(output.styled("x", .bad, on: .standardError) == "\u{1B}[31mx\u{1B}[0m")
        #expect(output.styled("x", .bad, on: .standardOutput) == "x")
    }

    @Test func `--color is heeded before the command line is checked`() async {
        #expect(await run("nonsense --color always").error.hasPrefix("\u{1B}[31merror[unknown-command]\u{1B}[0m"))
        #expect(await run("nonsense --color=always").error.hasPrefix("\u{1B}[31m"))
        #expect(await run("nonsense").error.hasPrefix("error["))
        #expect(await run("nonsense --color sometimes").error.contains("error["))
    }

    @Test func `a foreign text cannot move the cursor or turn words around`() {
        let streams = CollectedStreams(terminals: [.standardOutput, .standardError])
        let output = Output(streams)
        let attack = "a\u{1B}[2Jb\u{1B}]0;x\u{7}\u{9B}c\u{202E}d\r\u{8}"
        output.talk(attack)
        output.data(attack)
        let shown = "a\\u{1B}[2Jb\\u{1B}]0;x\\u{7}\\u{9B}c\\u{202E}d\\u{D}\\u{8}\n"
        #expect(streams.standardError == shown)
        #expect(streams.standardOutput == shown)
    }

    @Test func `data into a pipe goes as it is, and our own styles pass`() {
        let pipe = CollectedStreams()
        Output(pipe).data("a\u{1B}[2J")
        #expect(pipe.standardOutput == "a\u{1B}[2J\n")
        let terminal = CollectedStreams(terminals: [.standardError])
        let output = Output(terminal)
        output.talk(output.styled("x", .good, on: .standardError) + "\ty\nz\u{7}")
        #expect(terminal.standardError == "\u{1B}[32mx\u{1B}[0m\ty\nz\\u{7}\n")
    }

    @Test func `a table has aligned columns, styles take no room`() {
        #expect(
            Output.table(["app", "state"], [["notes", "on"], ["\u{1B}[31mx\u{1B}[0m", "off"]])
                == "APP    STATE\nnotes  on\n\u{1B}[31mx\u{1B}[0m      off")
    }
}
