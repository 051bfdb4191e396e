package import Basics

extension ErrorCode {
    private static let help = "Run the program with --help."

    package static let unknownCommand = ErrorCode(
        "unknown-command", .usage, "The program has no such command.", next: help)
    package static let unknownOption = ErrorCode(
        "unknown-option", .usage, "The command has no such option.", next: help)
    package static let missingValue = ErrorCode(
        "missing-value", .usage, "An option stands without the value that it takes.", next: help)
    package static let invalidValue = ErrorCode(
        "invalid-value", .usage, "An option or argument has a value that it does not take.", next: help)
    package static let repeatedOption = ErrorCode(
        "repeated-option", .usage, "An option that may stand once stands twice.", next: help)
    package static let missingArgument = ErrorCode(
        "missing-argument", .usage, "An argument of the command is missing.", next: help)
    package static let surplusArgument = ErrorCode(
        "surplus-argument", .usage, "There are more arguments than the command takes.", next: help)
    package static let secretInArgument = ErrorCode(
        "secret-in-argument", .usage,
        "A secret stands on the command line, where every user of the machine can read it.",
        next: "Give @FILE, or - to read it from standard input; and change the secret if it was a real one.")
    package static let unreadableInput = ErrorCode(
        "unreadable-input", .environment, "A file or standard input cannot be read.",
        next: "Check that the file is there and that you may read it.")
    package static let unwritableOutput = ErrorCode(
        "unwritable-output", .environment, "Standard output could not be written to the end.",
        next: "Check that the disk is not full and that the reader of the pipe is still there.")

    /// All codes of this module.
    package static let commandLine: [ErrorCode] = [
        .unknownCommand, .unknownOption, .missingValue, .invalidValue, .repeatedOption, .missingArgument,
        .surplusArgument, .secretInArgument, .unreadableInput, .unwritableOutput,
    ]
}
