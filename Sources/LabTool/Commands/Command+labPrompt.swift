import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// Answers one question of an app on a real stage, as the script says.
    static let labPrompt = Command(
        "lab-prompt", "answer one question of an app, as a script says",
        positionals: [
            Positional("DIR", values: .directory, "the folder of the person at the app"),
            Positional("QUESTION", "the question as JSON; - for standard input"),
        ], isHidden: true
    ) { call in
        let person = RealPerson(folder: try call.argument("DIR"))
        let answer = try await person.answer(
            try call.readText("QUESTION") ?? "", Environment.live(executor: nil))
        call.output.data(answer.serializedText)
        return .done
    }
}
