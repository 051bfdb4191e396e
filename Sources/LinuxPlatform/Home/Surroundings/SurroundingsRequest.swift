package import Basics
package import Platform

/// How surroundings are to be, with everything read and nothing taken from the process unasked.
package struct SurroundingsRequest: Sendable {
    /// The environment variables; children get those of the process.
    package var variables: [String: String]
    /// The bus; `nil`: the one of the home.
    package var bus: BusSelection?
    /// What starts a keeper for a private bus.
    package var keeper: [String]?
    /// How questions are put; `nil`: by the rule of `DialogueMeans`.
    package var prompt: DialogueChoice?
    /// What answers questions, whatever `prompt` says.
    package var dialogue: (any Dialogue)?
    /// A PEM file of the authorities that servers are verified against.
    package var authorityFile: String?
    /// The loop to run on; `nil`: one of its own.
    package var loop: EventLoop?
    /// Where talk to the person goes: standard error.
    package var tell: @Sendable (String) -> Void

    package init(
        variables: [String: String], bus: BusSelection? = nil, keeper: [String]? = nil,
        prompt: DialogueChoice? = nil, dialogue: (any Dialogue)? = nil, authorityFile: String? = nil,
        loop: EventLoop? = nil, tell: @escaping @Sendable (String) -> Void = { StandardError.write($0 + "\n") }
    ) {
        self.variables = variables
        self.bus = bus
        self.keeper = keeper
        self.prompt = prompt
        self.dialogue = dialogue
        self.authorityFile = authorityFile
        self.loop = loop
        self.tell = tell
    }

    /// Reads the texts of the options.
    ///
    /// - Throws: `bus-unavailable` for a bus that is none, `prompt-unknown`.
    package init(_ options: SurroundingsOptions, variables: [String: String]) throws(Fault) {
        var bus: BusSelection?
        if let text = options.bus { bus = try BusSelection(text) }
        var prompt: DialogueChoice?
        if let text = options.prompt { prompt = try DialogueChoice.parse(text) }
        self.init(variables: variables, bus: bus, keeper: options.keeper, prompt: prompt)
        // Programs and answers given ahead ask nobody.
        switch prompt {
        case .script, .command: break
        case .terminal, .web, nil: if options.noInput { dialogue = NoDialogue() }
        }
    }
}
