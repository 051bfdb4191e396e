import Basics
import Testing

@testable import CommandLineInterface

struct Help {
    @Test func `help begins with examples`() async throws {
        for line in ["--help", "help", "apps --help", "apps add --help", "help apps add", "-h apps add", "help apps"] {
            let ending = await run(line)
            #expect(ending.status == 0)
            #expect(ending.error.isEmpty)
            let examples = try #require(ending.output.firstRange(of: "Examples:"))
            let usage = try #require(ending.output.firstRange(of: "Usage:"))
            #expect(examples.lowerBound < usage.lowerBound, "\(line)")
        }
    }

    @Test func `help asks for nothing that the command needs`() async {
        #expect(await run("apps add --help").output == sample.help(path: ["apps", "add"]) + "\n")
    }

    @Test func `every command and every option stands in help, in the manual page and in the description`() {
        let manual = sample.manPage().replacing("\\-", with: "-")
        let description = sample.description().serializedText
        for command in sample.visibleCommands {
            let help = sample.help(path: command.path)
            #expect(command.path.isEmpty || sample.help().contains("  \(command.name)"))
            #expect(help.contains(sample.usageLine(command)))
            #expect(manual.contains(".SS \(sample.usageLine(command))"))
            for option in command.options + sample.options {
                for text in [help, manual] { #expect(text.contains(option.usage), "\(option.name) of \(command.name)") }
                #expect(description.contains("\"\(option.name)\""))
            }
            for positional in command.positionals { #expect(help.contains(positional.usage)) }
            for example in command.examples { #expect(help.contains(example.line)) }
        }
    }

    @Test func `no line of help is wider than a terminal`() {
        for place in sample.places {
            for line in sample.help(path: place).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `help and the manual page say which values an option may have, and nothing of others`() {
        let option = Option("--when", "WHEN", values: .oneOf(["now", "soon", "never"]), "the time")
        #expect(option.meaning == "now, soon or never: the time")
        #expect(Option("--when", "WHEN", values: .suggested(["now"]), "the time").meaning == "the time")
        #expect(sample.help(path: ["apps", "add"]).contains("app, device or everywhere: how far it goes"))
        #expect(sample.manPage().contains("app, device or everywhere: how far it goes"))
    }

    @Test func `an example that says nothing more leaves no empty line`() {
        let one = Program(
            name: "one", summary: "a program", version: "1",
            commands: [
                Command("go", "goes", examples: [.init("one go", "")]) { _ in .done }
            ])
        #expect(one.help(path: ["go"]).contains("Examples:\n  one go\n\nUsage:"))
        #expect(!one.help().contains("\n\n\n"))
    }

    @Test func `every topic is listed and shown`() async {
        for topic in sample.topics {
            #expect(sample.help().contains("  \(topic.name)"))
            #expect(await run("help \(topic.name)").output == topic.text + "\n")
        }
        for exit in ExitStatus.all { #expect(HelpTopic.exitCodes.text.contains("  \(exit.status.code)")) }
        #expect(await run("help environment").output.contains("SAMPLE"))
        #expect(await run("help files").output.contains("app.yaml"))
        #expect(await run("help man").output.hasPrefix(".TH "))
    }

    @Test func `an unknown topic names the nearest`() async {
        let ending = await run("help exit-code")
        #expect(ending.status == 2)
        #expect(ending.error.contains("there is no help on “exit-code”: the nearest is “exit-codes”."))
        #expect(await run("help apps ad").error.contains("the nearest is “apps add”."))
    }

    @Test func `the version is a line, or an object with its details`() async throws {
        #expect(await run("--version").output == "sample 1.2.3\n")
        #expect(
            try JSONValue(parsing: await run("--version --json").output) == [
                "schemaVersion": 1, "name": "sample", "version": "1.2.3", "protocol": "v1.0",
            ])
    }

    @Test func `the table can be had as JSON`() async throws {
        let object = try JSONValue(parsing: await run("help --json").output)
        let paths = object["help"]?["commands"]?.arrayValue?.compactMap { $0["path"] }
        #expect(paths?.contains(["apps", "add"]) == true)
        #expect(paths?.contains(["lab-peer"]) == false)
    }

    @Test func `the manual page has no line that a formatter takes for a request of ours`() {
        let odd = Program(
            name: "odd", summary: ".SH x", version: "1", topics: [HelpTopic("t", "t", text: "'x\n.y\na\\b")],
            commands: [])
        let page = odd.manPage()
        for line in ["\\&'x", "\\&.y", "a\\eb"] { #expect(page.split(separator: "\n").contains(Substring(line))) }
    }
}
