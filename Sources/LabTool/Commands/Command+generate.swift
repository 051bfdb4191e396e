import Basics
import CommandLineInterface
import FoundationEssentials

extension Command {
    /// Writes the parts of the documentation that are made from the code.
    static let generate = Command(
        "generate", "write the parts of the documentation that are made from the code",
        examples: [.init("countersign generate .", "bring the pages of the repository here up to date")],
        positionals: [Positional("FOLDER", "the root of the repository")], isHidden: true
    ) { call in
        let root = URL(filePath: try call.argument("FOLDER"))
        for part in GeneratedPart.all {
            let page = root.appending(path: part.page)
            let old = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
            let new = try part.applied(to: old)
            if new == old { continue }
            try new.write(to: page, atomically: true, encoding: .utf8)
            call.output.talk("\(part) was brought up to date.")
        }
        return .done
    }
}
