package import Basics
import HTML
import StrictYAML

/// The files in which other tools read how scripts went.
package enum ScriptReport: String, Sendable, CaseIterable {
    /// JUnit's XML, which every CI reads.
    case junit
    /// One JSON object a line, with `schemaVersion`.
    case json

    package func text(_ results: [ScriptResult]) -> String {
        switch self {
        case .junit: Self.junitText(results)
        case .json: results.map { JSONValue.object($0.json).serializedText + "\n" }.joined()
        }
    }

    private static func junitText(_ results: [ScriptResult]) -> String {
        let files = results.map(\.file).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let suites = files.map { file in suite(file, results.filter { $0.file == file }) }
        let total = count(results)
        let document: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="countersign run" tests="\(results.count)" failures="\(total.failures)" \
            errors="\(total.errors)" time="\(seconds(results))">
            \(suites)</testsuites>

            """
        return document.html
    }

    private static func suite(_ file: String, _ results: [ScriptResult]) -> Markup {
        let total = count(results)
        return """
            <testsuite name="\(results.first?.title ?? file)" file="\(file)" tests="\(results.count)" \
            failures="\(total.failures)" errors="\(total.errors)" time="\(seconds(results))">
            \(results.map(testCase))</testsuite>

            """
    }

    private static func testCase(_ result: ScriptResult) -> Markup {
        """
        <testcase name="\(name(result))" classname="\(result.file)" file="\(result.file)" \
        line="\(result.failure?.position.line ?? 1)" time="\(seconds([result]))">
        <properties><property name="seed" value="\(String(result.seed))"/>\
        <property name="stage" value="\(result.stage.rawValue)"/></properties>
        \(result.failure.map(failure))\(result.breaches.map(breach))</testcase>

        """
    }

    private static func failure(_ failure: ScriptResult.Failure) -> Markup {
        "<failure type=\"expectation\" message=\"\(failure.reason)\">\(failure.words)\(failure.because.map { "\n\($0)" } ?? "")</failure>\n"
    }

    private static func breach(_ breach: String) -> Markup {
        "<error type=\"invariant\" message=\"\(breach)\"></error>\n"
    }

    private static func name(_ result: ScriptResult) -> String {
        result.stage == .real ? "real processes" : "simulated, seed \(result.seed)"
    }

    private static func count(_ results: [ScriptResult]) -> (failures: Int, errors: Int) {
        (results.count { $0.failure != nil }, results.reduce(0) { $0 + $1.breaches.count })
    }

    /// The time that they took together, as JUnit writes it.
    private static func seconds(_ results: [ScriptResult]) -> String {
        let milliseconds = results.reduce(0) { $0 + $1.took.wholeMicroseconds / 1_000 }
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

extension ScriptResult {
    /// The result as `--json` and the JSON report print it.
    package var json: [String: JSONValue] {
        [
            "schemaVersion": 1, "script": .string(title), "file": .string(file), "stage": .string(stage.rawValue),
            "seed": .string(String(seed)), "steps": .integer(Int64(steps)), "good": .bool(isGood),
            "milliseconds": .integer(took.wholeMicroseconds / 1_000),
            "failure": failure.map { .object($0.json) } ?? .null,
            "breaches": .array(breaches.map(JSONValue.string)), "again": .string(again),
        ]
    }
}

extension ScriptResult.Failure {
    fileprivate var json: [String: JSONValue] {
        [
            "step": .string(key), "name": name.map(JSONValue.string) ?? .null, "line": .integer(Int64(position.line)),
            "reason": .string(reason), "because": because.map(JSONValue.string) ?? .null,
        ]
    }
}
