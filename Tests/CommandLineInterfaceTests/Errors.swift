import Basics
import CommandLineInterface
import Testing

struct Errors {
    @Test(arguments: [
        ("failed", 1), ("usage", 2), ("invalidFile", 3), ("refused", 4), ("environment", 5), ("breach", 6),
        ("timedOut", 8), ("cancelled", 9), ("internal", 70),
    ])
    func `the kind of an error is the exit code`(kind: String, status: Int32) async {
        #expect(await run("fail \(kind)").status == status)
    }

    @Test func `every kind of error has an exit code of its own, and every exit code a meaning`() {
        let statuses = ErrorCode.Kind.allCases.map { ExitStatus($0).code }
        #expect(Set(statuses).count == ErrorCode.Kind.allCases.count)
        #expect(Set(statuses + [0, 130, 143]) == Set(ExitStatus.all.map(\.status.code)))
    }

    @Test func `an ending that is no error has its own status and says nothing`() async {
        let ending = await run("fail status")
        #expect(ending.status == 6)
        #expect(ending.error.isEmpty)
    }

    @Test func `an error says its code, what and why, and what to do next, on standard error`() async {
        let ending = await run("fail refused")
        #expect(ending.error == "error[sample-refused] It failed: on purpose.\nnext: sample\n")
        #expect(ending.output.isEmpty)
    }

    @Test func `with --json the error is also one object on standard output`() async throws {
        let ending = await run("fail refused --json")
        #expect(ending.error.hasPrefix("error[sample-refused]"))
        #expect(
            try JSONValue(parsing: ending.output) == [
                "schemaVersion": 1,
                "error": ["code": "sample-refused", "text": "It failed: on purpose.", "nextStep": "sample"],
            ])
        #expect(ending.output.count { $0 == "\n" } == 1)
    }

    @Test func `a refusal of the command line itself keeps to --json too`() async throws {
        let ending = await run("--json nonsense")
        #expect(ending.status == 2)
        #expect(try JSONValue(parsing: ending.output)["error"]?["code"] == "unknown-command")
    }

    @Test func `the detail is for those who ask for more`() async {
        #expect(!(await run("fail refused").error.contains("why")))
        #expect(await run("fail refused -v").error.hasSuffix("detail: why\n"))
    }

    @Test func `quiet does not silence an error`() async {
        #expect(await run("fail refused --quiet").error.hasPrefix("error[sample-refused]"))
    }

    @Test func `a person's cancellation is 9, the caller's is what the signal was`() async {
        #expect(await run("fail user").status == 9)
        #expect(await run("fail caller").status == 130)
        #expect(await run("fail task").status == 130)
        #expect(await run("fail task", interruption: .terminated).status == 143)
        #expect(await run("fail user", interruption: .terminated).status == 9)
    }

    @Test func `an error of unknown make is internal and its words are not shown`() async {
        let ending = await run("fail unknown -vv --json")
        #expect(ending.status == 70)
        #expect(ending.error.contains("error[internal]"))
        #expect(!(ending.error + ending.output).contains("hunter2"))
    }

    @Test func `output that does not arrive is an error`() async {
        let ending = await run("apps add notes", streams: CollectedStreams(failing: [.standardOutput]))
        #expect(ending.status == 5)
        #expect(ending.error.hasPrefix("error[unwritable-output]"))
        #expect(await run("fail refused", streams: CollectedStreams(failing: [.standardError])).status == 4)
    }

    @Test func `each code of this module is declared once`() {
        #expect(Set(ErrorCode.commandLine).count == ErrorCode.commandLine.count)
    }
}
