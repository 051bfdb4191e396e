import Basics
import CommandLineInterface
import Testing

struct Parsing {
    @Test(arguments: [
        "apps add notes --redirect a --redirect b", "apps add --redirect=a notes --redirect=b",
        "--redirect a --redirect=b apps add notes", "apps --redirect a add --redirect b notes",
        "apps add --redirect a --redirect b -- notes", "--app x apps add notes --redirect a --redirect b --quiet",
    ])
    func `options stand anywhere, with an equals sign or without`(line: String) async {
        let ending = await run(line)
        #expect(ending.status == 0)
        #expect(ending.output == "notes a b\n")
    }

    @Test func `two dashes end the options, and what follows names no command`() async {
        #expect(await run("apps add -- --silent").output == "--silent \n")
        #expect(await run("-- apps add notes").status == 2)
        #expect(await run("run -- a --tags").output == "a|--tags\n")
    }

    @Test func `a key's thumbprint is an argument, whatever it begins with`() async {
        let thumbprint = "-\(String(repeating: "x", count: 41))Q"
        #expect(await run("apps add \(thumbprint)").output == "\(thumbprint) \n")
        #expect(await run("apps add -\(thumbprint.dropLast())").output == "-\(thumbprint.dropLast()) \n")
        #expect(await run("apps add \(thumbprint)Q").error.contains("has no option -x"))
    }

    @Test func `a program without a command runs its bare one`() async {
        #expect(await run("").output == "opened\n")
        #expect(await run("--again").output == "opened again\n")
        #expect(await run("--again apps list").status == 2)
    }

    @Test func `a value keeps what follows its first equals sign, and may be empty`() async {
        #expect(
            await run("apps add notes --redirect=https://a.example/?b=c").output == "notes https://a.example/?b=c\n")
        #expect(await run("apps add notes --redirect=").output == "notes \n")
        #expect(await run("apps add notes --exec=").status == 2)
    }

    @Test func `an unknown option names the nearest and exits with 2`() async {
        let ending = await run("apps add notes --redirct=a")
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(
            ending.error == """
                error[unknown-option] “sample apps add” has no option --redirct: the nearest is --redirect.
                next: sample help apps add

                """)
        #expect(await run("apps add notes --zzzzzzzz").error.contains("help lists those it has"))
        #expect(await run("apps add notes -x").error.contains("has no option -x"))
    }

    @Test func `an option of another command names that command`() async {
        let ending = await run("apps list --redirect a")
        #expect(ending.status == 2)
        #expect(ending.error.contains("“sample apps list” has no option --redirect: it belongs to “apps add”."))
    }

    @Test func `nothing is abbreviated`() async {
        #expect(await run("apps add notes --redir a").status == 2)
        #expect(await run("app list").status == 2)
    }

    @Test func `an unknown command names the nearest, at its own place`() async {
        #expect(await run("tokn").error.contains("“sample” has no command “tokn”: the nearest is “sample token”."))
        #expect(await run("apps ad notes").error.contains("the nearest is “sample apps add”."))
        let ending = await run("xyz")
        #expect(ending.status == 2)
        #expect(ending.error.contains("there are apps, token, run, fail, completion, help."))
    }

    @Test func `a word that needs another says which`() async {
        let ending = await run("apps")
        #expect(ending.status == 2)
        #expect(ending.error.contains("sample apps: a command is missing: add, list."))
        #expect(ending.error.contains("next: sample help apps"))
    }

    @Test func `an option that may stand once is refused twice, one that repeats is not`() async {
        let ending = await run("apps add notes --exec a --exec b")
        #expect(ending.status == 2)
        #expect(ending.error.contains("error[repeated-option] --exec: it stands 2 times"))
        #expect(await run("apps add notes --silent --silent").status == 2)
        #expect(await run("apps add notes --redirect a --redirect b -v -v").status == 0)
    }

    @Test func `a missing value is refused, and an option is not taken for one`() async {
        #expect(
            await run("apps add notes --exec").error.contains("error[missing-value] --exec: its value PATH is missing.")
        )
        let ending = await run("apps add notes --exec --silent")
        #expect(ending.status == 2)
        #expect(ending.error.contains("If “--silent” is the value, write --exec=VALUE."))
        #expect(await run("apps add notes --exec=--silent").status == 0)
    }

    @Test func `a flag takes no value`() async {
        #expect(await run("apps add notes --silent=yes").error.contains("--silent: it is a flag, and takes no value."))
    }

    @Test func `arguments are counted`() async {
        #expect(
            await run("apps add").error.contains("error[missing-argument] “sample apps add” needs ID: the app's id."))
        #expect(
            await run("apps add a b").error.contains("error[surplus-argument] “sample apps add” does not take “b”."))
        #expect(await run("run").status == 2)
        #expect(await run("run a b c").output == "a|b|c\n")
        #expect(await run("token").status == 0)
        #expect(await run("token bare header").status == 2)
    }

    @Test func `a value outside a closed list names the nearest, a suggested list is open`() async {
        #expect(await run("apps add notes --scope device").status == 0)
        let ending = await run("apps add notes --scope devise")
        #expect(ending.status == 2)
        #expect(ending.error.contains("“devise” is none of app, device, everywhere. The nearest is “device”."))
        #expect(await run("token anything").status == 0)
        #expect(await run("--bus unix:path=/x apps list").status == 0)
    }

    @Test(arguments: ["90s", "2h", "500ms", "5m", "1d", "0s"])
    func `a time has a number and a unit`(time: String) async {
        #expect(await run("apps list --timeout \(time)").status == 0)
    }

    @Test(arguments: ["90", "s", "1.5s", "2 h", "2H", "1h30m", "+1s", "9999999999999s"])
    func `what is no time is refused before the command begins`(time: String) async {
        let ending = await run(["apps", "list", "--timeout=\(time)"])
        #expect(ending.status == 2)
        #expect(ending.error.contains("error[invalid-value] --timeout: “\(time)” is no time"))
    }

    @Test func `a time is read as what it says`() {
        #expect(Duration(text: "90s") == .seconds(90))
        #expect(Duration(text: "2h") == .seconds(7_200))
        #expect(Duration(text: "500ms") == .milliseconds(500))
        #expect(Duration(text: "5m") == .seconds(300))
        #expect(Duration(text: "1d") == .seconds(86_400))
    }

    @Test func `a whole number has digits only`() async {
        #expect(await run("apps add notes --limit 12").status == 0)
        for text in ["--limit=-1", "--limit=1.0", "--limit=x", "--limit=99999999999999999999"] {
            #expect(await run(["apps", "add", "notes", text]).status == 2)
        }
    }

    @Test func `lists are split at commas`() async {
        #expect(await run("run a --tags slow,bus --tags web").output == "a|slow|bus|web\n")
    }

    @Test func `short flags may stand together`() async {
        #expect(await run("apps list -vv").status == 0)
        #expect(await run("apps list -vx").error.contains("has no option -x"))
    }

    @Test func `a hidden command runs and is not shown`() async {
        #expect(await run("lab-peer").error == "peer\n")
        #expect(!sample.help().contains("lab-peer"))
    }

    @Test func `the table has no mistakes, and mistakes in a table are found`() {
        #expect(sample.tableMistakes == [])
        let wrong = Program(
            name: "wrong", summary: "x", version: "1",
            commands: [
                Command("a", "x", options: [Option("--json", "x"), Option("--Bad", "x"), Option("--x", "x")]) { _ in
                    .done
                },
                Command(
                    "a", "x", examples: [.init("other a", "x")],
                    positionals: [Positional("A", .optional, "x"), Positional("B", "x")],
                    options: [Option("--x", "V", "x")]
                ) { _ in .done },
            ])
        #expect(wrong.tableMistakes.count == 7)
    }
}
