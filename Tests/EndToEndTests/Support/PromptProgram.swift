import Basics
import FoundationEssentials
import Glibc
import Platform

/// A program for `--prompt command:PATH`: it keeps every question, and its answers lie beside it in files, so a test
/// can change its mind while an app runs. Without an answer it gives up.
struct PromptProgram: Sendable {
    let path: String

    /// Makes the program.
    ///
    /// - Parameter leavesArguments: whether it writes down its command line and environment, for `leftArguments`.
    init(
        in home: LabHome, _ name: String = "prompt", answers: [Question.Kind: String] = [:],
        leavesArguments: Bool = false
    ) throws {
        path = home.root + "/" + name
        let script = """
            #!/bin/sh
            \(leavesArguments ? #"cat /proc/$$/cmdline /proc/$$/environ >> "$0.arguments""# : "")
            question=$(cat)
            kind=$(printf '%s' "$question" | sed 's/.*"kind":"\\([a-z-]*\\)".*/\\1/')
            # A test may change its mind as soon as it sees the question.
            [ -e "$0.silent" ] && silent=yes
            printf '%s\\n' "$question" >> "$0.asked"
            [ -n "$silent" ] && exec sleep 60
            [ -e "$0.$kind" ] && exec cat "$0.$kind"
            exit 0

            """
        try Data(script.utf8).write(to: URL(filePath: path))
        chmod(path, 0o700)
        for (kind, answer) in answers { try self.answer(kind, answer) }
    }

    /// The option's value.
    var option: String { "command:\(path)" }

    /// Sets the answer to a kind of question; `nil`: give up.
    func answer(_ kind: Question.Kind, _ json: String?) throws {
        let file = path + "." + kind.rawValue
        guard let json else { return try FileManager.default.removeItem(atPath: file) }
        try Data(json.utf8).write(to: URL(filePath: file), options: .atomic)
    }

    /// Whether every question is left without an answer.
    func setSilent(_ isSilent: Bool) throws {
        let file = path + ".silent"
        if isSilent { return try Data().write(to: URL(filePath: file)) }
        try FileManager.default.removeItem(atPath: file)
    }

    /// The questions so far.
    func asked() throws -> [JSONValue] {
        guard FileManager.default.fileExists(atPath: path + ".asked") else { return [] }
        return try String(contentsOfFile: path + ".asked", encoding: .utf8).split(separator: "\n").map {
            try String($0).parsed
        }
    }

    /// The command line and environment of each run.
    func leftArguments() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path + ".arguments")))
    }

    /// How often a kind of question was asked.
    func count(of kind: Question.Kind) throws -> Int {
        try asked().count { $0["kind"] == .string(kind.rawValue) }
    }
}
