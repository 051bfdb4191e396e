import Basics

extension Program {
    /// Runs the command that the arguments name, and returns the exit code.
    ///
    /// - Parameters:
    ///   - arguments: what follows the program's name.
    ///   - environment: the environment variables; nothing here reads them from the process.
    ///   - interruption: asked for when a command ends by `CancellationError`: `.terminated` after SIGTERM.
    package func run(
        arguments: [String], environment: [String: String], output streams: any OutputStreams = StandardStreams(),
        input: any InputSource = StandardInput(), interruption: @Sendable () -> ExitStatus = { .interrupted }
    ) async -> Int32 {
        let output = output(for: arguments, streams, environment)
        var status: ExitStatus
        do {
            status = try await perform(arguments, environment, output, input)
        } catch {
            status = ErrorRenderer(interruption: interruption()).render(error, to: output)
        }
        if output.hasFailed, status == .done {
            status = ErrorRenderer().render(Fault(.unwritableOutput), to: output)
        }
        return status.code
    }

    private func perform(
        _ arguments: [String], _ environment: [String: String], _ output: Output, _ input: any InputSource
    ) async throws -> ExitStatus {
        switch try ArgumentParser(program: self).parse(arguments) {
        case .help(let path): output.result(["help": description(at: path)], text: help(path: path))
        case .version: printVersion(output)
        case .run(let command, let parsed):
            return try await command.run(
                Invocation(
                    program: self, command: command, parsed: parsed, environment: environment, output: output,
                    input: input))
        }
        return .done
    }

    private func printVersion(_ output: Output) {
        var members: [String: JSONValue] = ["name": .string(name), "version": .string(version)]
        for detail in versionDetails { members[detail.name] = .string(detail.value) }
        let details = output.verbosity > 0 ? versionDetails.map { "\n\($0.name) \($0.value)" }.joined() : ""
        output.result(members, text: "\(name) \(version)\(details)")
    }

    /// How to speak, read before anything is checked, so that a refusal of the command line itself keeps to it.
    private func output(
        for arguments: [String], _ streams: any OutputStreams, _ environment: [String: String]
    ) -> Output {
        let options = arguments.prefix { $0 != "--" }
        let colour =
            options.last { $0.hasPrefix("--color=") }.map { String($0.dropFirst("--color=".count)) }
            ?? options.firstIndex(of: "--color").flatMap { $0 + 1 < options.count ? options[$0 + 1] : nil }
        let verbosity = options.reduce(0) { count, option in
            let isCluster = option.hasPrefix("-") && !option.hasPrefix("--")
            return count + (option == "--verbose" ? 1 : isCluster ? option.count { $0 == "v" } : 0)
        }
        return Output(
            streams, isJSON: options.contains("--json"), isQuiet: options.contains("--quiet"), verbosity: verbosity,
            colour: colour.flatMap(ColourChoice.init) ?? .auto, environment: environment)
    }
}
