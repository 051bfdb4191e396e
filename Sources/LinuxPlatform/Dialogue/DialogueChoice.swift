package import Basics
package import Platform

/// How questions reach the person: `--prompt terminal|web|command:PATH|script:CHOICE`.
package enum DialogueChoice: Sendable, Equatable {
    case terminal
    case web
    /// A program, by its path.
    case command(String)
    /// Answers given ahead: ids or titles of choices, divided by commas.
    case script([String])

    /// Reads the option's value.
    ///
    /// - Throws: `prompt-unknown`.
    package static func parse(_ text: String) throws(Fault) -> DialogueChoice {
        switch text {
        case "terminal": return .terminal
        case "web": return .web
        default: break
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw Fault(.promptUnknown, "There is no way to ask called \(DisplayText.clean(text, limit: 60)).")
        }
        switch parts[0] {
        case "command": return .command(String(parts[1]))
        case "script": return .script(parts[1].split(separator: ",").map(String.init))
        default: throw Fault(.promptUnknown, "There is no way to ask called \(DisplayText.clean(text, limit: 60)).")
        }
    }
}

/// What dialogues are made of.
package struct DialogueMeans: Sendable {
    package var environment: Environment
    /// The process's environment variables.
    package var variables: [String: String]
    package var processes: any ChildProcesses
    package var listener: any LoopbackListener
    package var opener: any URLOpener
    /// Says something to the person, on standard error as a rule.
    package var tell: @Sendable (String) -> Void

    package init(
        environment: Environment, variables: [String: String], processes: any ChildProcesses,
        listener: any LoopbackListener, opener: any URLOpener, tell: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        self.variables = variables
        self.processes = processes
        self.listener = listener
        self.opener = opener
        self.tell = tell
    }

    /// The dialogue that was chosen. Without a choice: the terminal if somebody sits at one, else a page if there is a
    /// display, else one that asks nobody.
    package func dialogue(_ choice: DialogueChoice?) -> any Dialogue {
        switch choice {
        case .terminal:
            TerminalDialogue.standard(variables: variables, environment: environment) ?? NoDialogue() as any Dialogue
        case .web: web
        case .command(let program):
            CommandDialogue(program: program, processes: processes, environment: environment)
        case .script(let choices): ScriptedDialogue(choices: choices)
        case nil:
            TerminalDialogue.isAtTerminal ? dialogue(.terminal) : opener.isAvailable ? dialogue(.web) : NoDialogue()
        }
    }

    private var web: WebDialogue {
        WebDialogue(listener: listener, opener: opener, environment: environment, tell: tell)
    }
}
