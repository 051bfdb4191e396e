import Basics
import Handoff

/// The contract as docs/handoff-protocol.md shows it, made from the data that the apps ask.
package enum ContractReference {
    /// A table for each side, and what a late command is told.
    package static var markdown: String {
        [
            "At the client:", table(at: .client), "At the identity provider app:", table(at: .identityProvider),
            "How a flow has ended, and what a late command is told:", lateness,
        ].joined(separator: "\n\n")
    }

    private static func table(at role: AppRole) -> String {
        let stages: [FlowStage] = [.none, .invited, .waiting, .answered]
        let heads = ["What arrives"] + stages.map { $0.word(at: role) } + ["ended"]
        let rows = FlowMessage.allCases.map { message in
            let cells = (stages + [.ended(.failed)]).map { stage in
                words(FlowContract.cell(message, at: role, in: stage), at: role)
            }
            return row([words(message)] + cells)
        }
        return ([row(heads), row(heads.map { _ in "---" })] + rows).joined(separator: "\n")
    }

    private static var lateness: String {
        let rows = FlowEnding.allCases.map { row([$0.rawValue, "“this login \(FlowStage.ended($0).lateness)”"]) }
        return ([row(["Ended", "Told"]), row(["---", "---"])] + rows).joined(separator: "\n")
    }

    private static func words(_ message: FlowMessage) -> String {
        let (name, rest) = message.rawValue.split(at: " ")
        return "`\(name)`\(rest)"
    }

    private static func words(_ cell: FlowContract.Cell, at role: AppRole) -> String {
        let words =
            switch cell.verdict {
            case .begins(let stage): "begins: **\(stage.word(at: role))**"
            case .moves(let stage): "**\(stage.word(at: role))**"
            case .ends(let ending): "ended: **\(ending.rawValue)**"
            case .late: "`command-late`"
            case .refused(let code): "`\(code.name)`"
            case .answered: "answered at once"
            }
        return words + (cell.changesAccounts ? " †" : "")
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

extension String {
    /// What stands before the first `separator`, and the rest with it.
    fileprivate func split(at separator: Character) -> (String, String) {
        let head = prefix { $0 != separator }
        return (String(head), String(dropFirst(head.count)))
    }
}
