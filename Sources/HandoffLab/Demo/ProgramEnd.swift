import Basics
import Platform

/// How a program ended, and what it said.
struct ProgramEnd: Sendable {
    let exit: ChildExit
    let output: String
    let errors: String

    /// What it printed, where that is JSON.
    var json: JSONValue { (try? JSONValue(parsing: output)) ?? .null }

    /// How it ended for the one who started it; a program that a signal ended told nobody.
    var actionEnd: ActionEnd {
        switch exit {
        case .exited(0): return .done
        case .signalled: return .interrupted
        case .exited(let status):
            let error = json["error"]
            return .failed(
                code: error?["code"]?.stringValue ?? "exit-\(status)", text: error?["text"]?.stringValue ?? errors)
        }
    }
}
