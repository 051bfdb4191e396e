import Basics
import Glibc
package import Platform

/// Opens URLs by the desktop's own rules, with `xdg-open` or `gio open`.
package struct SystemOpener: URLOpener {
    /// How long the tool may take; some stay as long as the browser that they started.
    private static let patience = Duration.seconds(5)

    private let tool: [String]?
    private let processes: any ChildProcesses
    private let environment: Environment

    /// Looks for a display and a tool.
    ///
    /// - Parameters:
    ///   - variables: the process's environment: `DISPLAY`, `WAYLAND_DISPLAY` and `PATH` are looked at.
    ///   - processes: what starts the tool; a browser must not inherit what our own programs do.
    package init(
        variables: [String: String], environment: Environment,
        processes: any ChildProcesses = LinuxChildProcesses(tellsParentsEnd: false, ownSession: true)
    ) {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(variables[$0] ?? "").isEmpty }
        tool = hasDisplay ? SystemOpener.tool(in: variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") : nil
        self.processes = processes
        self.environment = environment
    }

    package var isAvailable: Bool { tool != nil }

    package func open(_ url: String) async throws {
        guard let tool else { throw Fault(.noOpener) }
        // An argument of its own, and never one that the tool could take for an option or a file.
        guard SystemOpener.isURL(url) else { throw SystemOpener.noAddress }
        try await SystemOpener.run(tool + [url], processes, environment)
    }

    static var noAddress: Fault {
        Fault(.noOpener, "That is no address that can be opened.", next: "Report it with the address.")
    }

    /// Runs an opener; one that is still there after a while is taken to have opened the URL.
    static func run(_ words: [String], _ processes: any ChildProcesses, _ environment: Environment) async throws {
        let child = try await processes.start(ChildCommand(words[0], Array(words.dropFirst())))
        let exit = await withTaskGroup(of: ChildExit?.self) { group in
            group.addTask { await SystemOpener.exit(of: child) }
            group.addTask {
                try? await environment.sleep(for: SystemOpener.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard exit == nil || exit == .exited(0) else {
            throw Fault(.noOpener, detail: "\(words[0]) ended with \(exit.map { "\($0)" } ?? "")")
        }
    }

    /// The child's exit, or nothing once the task is cancelled.
    private static func exit(of child: any RunningChild) async -> ChildExit? {
        let exit = Promise<ChildExit>()
        Task.detached(name: "exit of an opener") { exit.fulfil(await child.exit()) }
        return try? await exit.value()
    }

    static func isURL(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[!-~]+/) != nil
    }

    private static func tool(in searchPath: String) -> [String]? {
        let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
        for (name, arguments) in [("xdg-open", [String]()), ("gio", ["open"])] {
            for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
                return ["\(folder)/\(name)"] + arguments
            }
        }
        return nil
    }
}
