import Basics
import HandoffLab
import StrictYAML
import Testing

@Suite struct `A report of scripts` {
    private let good = ScriptResult(
        title: "a login", file: "a.yaml", stage: .simulated, seed: 7, steps: 3, took: .milliseconds(1_234))
    private var bad: ScriptResult {
        var bad = good
        bad.failure = ScriptResult.Failure(
            key: "expect notes.accounts", name: "<alice> & \"bob\"",
            position: YAMLNode.Position(file: "a.yaml", line: 9, column: 3), reason: "it is []", because: "she came")
        bad.seed = 8
        return bad
    }

    @Test func `for JUnit has a case for each run, with its line and its seed, and everything escaped`() {
        let text = ScriptReport.junit.text([good, bad])
        #expect(
            text.hasPrefix(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"countersign run\" tests=\"2\" failures=\"1\" errors=\"0\""
            ))
        #expect(text.contains("<testsuite name=\"a login\" file=\"a.yaml\" tests=\"2\" failures=\"1\""))
        #expect(text.contains("time=\"1.234\""))
        #expect(text.contains("<property name=\"seed\" value=\"8\"/>"))
        #expect(text.contains("line=\"9\""))
        #expect(text.contains("&lt;alice&gt; &amp; &quot;bob&quot;"))
        #expect(!text.contains("<alice>"))
    }

    @Test func `tells a breach apart from a step that failed`() {
        var broken = good
        broken.breaches = ["single-use: twice"]
        #expect(!broken.isGood)
        let text = ScriptReport.junit.text([broken])
        #expect(text.contains("failures=\"0\" errors=\"1\""))
        #expect(text.contains("<error type=\"invariant\" message=\"single-use: twice\">"))
    }

    @Test func `for tools is one object a line, with how to play it again`() throws {
        let lines = ScriptReport.json.text([good, bad]).split(separator: "\n")
        #expect(lines.count == 2)
        let second = try JSONValue(parsing: String(lines[1]))
        #expect(second["schemaVersion"] == 1)
        #expect(second["good"] == false)
        #expect(second["again"] == "countersign run a.yaml --seed 8")
        #expect(second["failure"]?["line"] == 9)
        #expect(second["failure"]?["because"] == "she came")
    }
}
