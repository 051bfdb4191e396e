import Basics

/// The shells that completion is made for.
package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}

extension Program {
    /// `completion`, which every program has.
    var completionCommand: Command {
        let program = self
        return Command(
            "completion", "print the completion script of a shell",
            details: """
                bash: source <(\(name) completion bash)
                zsh: \(name) completion zsh > a folder of $fpath, as _\(name)
                fish: \(name) completion fish > ~/.config/fish/completions/\(name).fish
                """,
            examples: [.init("source <(\(name) completion bash)", "complete in this shell, from now on")],
            positionals: [
                Positional("SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)), "the shell: bash, zsh or fish")
            ]
        ) { invocation in
            guard let shell = Shell(rawValue: try invocation.argument("SHELL")) else { return .usage }
            let script = program.completion(for: shell)
            invocation.output.result(["shell": .string(shell.rawValue), "script": .string(script)], text: script)
            return .done
        }
    }

    /// The completion script for a shell, made from the table.
    package func completion(for shell: Shell) -> String {
        let table = CompletionTable(self)
        switch shell {
        case .bash: return BashCompletion(table: table).script
        case .zsh: return ZshCompletion(table: table).script
        case .fish: return FishCompletion(table: table).script
        }
    }
}
