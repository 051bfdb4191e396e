import Basics
import CommandLineInterface
import HandoffLab

extension HelpTopic {
    /// Every error code, from the lists of the modules.
    static let errors = HelpTopic(
        "errors", "every error code, what it means, and what to do",
        text: ErrorReference.codes.map { code in
            "\(code.name)\n  \(code.meaning)\n  next: \(code.nextStep)"
        }.joined(separator: "\n"))
}

/// The reference of error codes: docs/errors.md is this text, and a test keeps the two in step.
enum ErrorReference {
    static let codes = (ErrorCode.ofAllModules + ErrorCode.commandLine).sorted { $0.name < $1.name }

    static var markdown: String {
        let head = """
            # Error codes

            Every error is printed as `error[CODE] what: why`, followed by `next:` and what to do. The kind of a code \
            decides the exit code of the command line programs (`help exit-codes`). This page is made from the codes: \
            `countersign error-reference`.

            """
        let sections = codes.map { code in
            "\n## \(code.name)\n\n\(code.meaning)\n\nNext: \(code.nextStep)\n\nKind: \(code.kind.rawValue)\n"
        }
        return head + sections.joined()
    }
}

extension Command {
    /// Prints docs/errors.md.
    static let errorReference = Command(
        "error-reference", "print docs/errors.md, which is made from the codes",
        examples: [.init("countersign error-reference > docs/errors.md", "make the page anew")], isHidden: true
    ) { call in
        call.output.data(ErrorReference.markdown, terminator: "")
        return .done
    }
}
