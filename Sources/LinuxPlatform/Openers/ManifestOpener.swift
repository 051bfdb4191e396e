import Basics
package import Platform

/// Opens URLs with the program that an app's manifest names: on a phone, in a simulator, on another machine.
package struct ManifestOpener: URLOpener {
    /// What stands for the URL in the argument list, once.
    static let placeholder = "{url}"

    private let command: [String]
    private let processes: any ChildProcesses
    private let environment: Environment

    /// Makes an opener from an argument list that `check` has passed.
    package init(
        command: [String], environment: Environment,
        processes: any ChildProcesses = LinuxChildProcesses(tellsParentsEnd: false, ownSession: true)
    ) {
        self.command = command
        self.processes = processes
        self.environment = environment
    }

    package var isAvailable: Bool { !command.isEmpty }

    package func open(_ url: String) async throws {
        guard SystemOpener.isURL(url) else { throw SystemOpener.noAddress }
        // No shell of ours reads this. One at the far end may (ssh and adb join their arguments): between single
        // quotation marks in the manifest the URL is one word there too, as long as it has none itself.
        let safe = url.replacing("'", with: "%27")
        let words = command.map { $0.replacing(ManifestOpener.placeholder, with: safe) }
        try await SystemOpener.run(words, processes, environment)
    }

    /// What is wrong with an argument list, if anything.
    static func problem(with command: [String]) -> String? {
        guard let program = command.first, !program.isEmpty else { return "an opener begins with a program." }
        if program.contains(placeholder) { return "the program of an opener is fixed; {url} is one of its arguments." }
        let count = command.reduce(0) { $0 + $1.ranges(of: placeholder).count }
        return count == 1 ? nil : "an opener has {url} exactly once, and this one \(count) times."
    }
}
