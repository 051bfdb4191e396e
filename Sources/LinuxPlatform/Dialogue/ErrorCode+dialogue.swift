package import Basics

extension ErrorCode {
    /// A way to ask that does not exist.
    package static let promptUnknown = ErrorCode(
        "prompt-unknown", .usage, "There is no such way to ask.",
        next: "Give --prompt terminal, web, command:PATH or script:CHOICE.")
    /// An answer that is none of the choices.
    package static let promptAnswerRefused = ErrorCode(
        "prompt-answer-refused", .failed, "The answer is not one of the choices that the question has.",
        next: "Have the prompt program write {\"choice\": ID} with an id of the question, or {\"cancel\": true}.")

    /// The codes of dialogues.
    package static let dialogues: [ErrorCode] = [.promptUnknown, .promptAnswerRefused]
}
