import Basics
import Glibc
import Platform

/// The private dbus-daemon of a home, and how it ends.
///
/// Every party holds a shared lock on `run/bus.parties`. The daemon is the child of a *keeper*, a process of our own
/// that waits for that lock alone: the kernel takes the lock from a party however it dies, so a killed program leaves
/// nothing behind. A program that has no keeper to start (one that embeds the SDK) starts the daemon itself; then the
/// last party ends it on leaving, or the next one to come finds it and goes on with it.
package enum PrivateBus {
    /// The hidden first argument by which one of our programs is started as keeper.
    static let keeperWord = "bus-keeper"

    /// Becomes a bus keeper, and never returns, when the program was started as one; the first call of every `main`.
    ///
    /// - Parameter arguments: all of them, the program's own name first.
    package static func runKeeperIfAsked(arguments: [String]) {
        guard arguments.count > 1, arguments[1] == keeperWord else { return }
        guard arguments.count == 4 else { exit(2) }
        exit(BusKeeper.run(home: arguments[2], socket: arguments[3]))
    }

    /// The command line that starts this program as a keeper, for programs that call `runKeeperIfAsked`.
    package static var thisProgramAsKeeper: [String] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        return [String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)]
    }

    /// Starts the home's daemon and notes it in the home; the caller holds the gate and is a party.
    static func start(in folder: BusFolder, keeper: [String]?, variables: [String: String]) async throws -> BusRecord {
        let socket = try folder.socketPath(variables: variables)
        guard let keeper else { return try await startDaemon(in: folder, socket: socket) }
        return try await startKeeper(keeper, in: folder, socket: socket)
    }

    /// Ends the daemon and removes what it left; the caller holds the gate.
    static func end(_ record: BusRecord, in folder: BusFolder) async {
        await record.daemon?.end()
        removeTraces(of: record, in: folder)
    }

    /// Removes a daemon's record and socket, unless they are those of a later one.
    static func removeTraces(of record: BusRecord, in folder: BusFolder) {
        guard (try? folder.record()) == record else { return }
        if let socket = BusAddress.path(of: record.address) { unlink(socket) }
        _ = try? folder.recordFile.remove()
    }

    /// What starts the daemon.
    static func daemonCommand(in folder: BusFolder, socket: String) throws(Fault) -> ChildCommand {
        let text = BusConfiguration.text(
            address: BusAddress.unix(path: socket), services: folder.services.path)
        try folder.configuration.write(Array(text.utf8))
        // One left by a killed daemon would keep the new one from listening.
        unlink(socket)
        return ChildCommand(
            "dbus-daemon",
            [
                "--config-file=\(folder.configuration.path)", "--nofork", "--nopidfile", "--nosyslog",
                "--print-address=1",
            ], environment: environment(of: folder))
    }

    /// What the daemon hands on to the apps that it starts: this process's environment, with the home that they are to
    /// use, and without the switch that is for the process alone that a test gave it to.
    private static func environment(of folder: BusFolder) -> [String: String] {
        var variables = LinuxChildProcesses.inheritedEnvironment()
        variables[Home.variable] = folder.homePath
        variables[DeathSwitch.variable] = nil
        return variables
    }

    private static func startDaemon(in folder: BusFolder, socket: String) async throws -> BusRecord {
        let processes = LinuxChildProcesses(tellsParentsEnd: false, ownSession: true)
        let child = try await processes.start(daemonCommand(in: folder, socket: socket))
        let address = try await firstLine(of: child)
        guard let daemon = ProcessIdentity(child.processID) else { throw notStarted("it ended at once") }
        let record = BusRecord(kind: .private, address: address, daemon: daemon)
        try folder.recordFile.write(record.bytes)
        return record
    }

    private static func startKeeper(
        _ keeper: [String], in folder: BusFolder, socket: String
    ) async throws -> BusRecord {
        let processes = LinuxChildProcesses(tellsParentsEnd: false, ownSession: true)
        let child = try await processes.start(
            ChildCommand(keeper[0], Array(keeper.dropFirst()) + [keeperWord, folder.homePath, socket]))
        let line = try await firstLine(of: child)
        guard line == BusKeeper.readyLine, let record = try folder.record() else {
            child.signal(SIGTERM)
            throw notStarted(line)
        }
        return record
    }

    /// The first line that a child writes, for as long as a start may take.
    private static func firstLine(of child: any RunningChild) async throws -> String {
        let line = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                for await line in child.outputLines { return line }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(30))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let line { return line }
        child.signal(SIGKILL)
        var words: [String] = []
        for await line in child.errorLines { words.append(line) }
        try Task.checkCancellation()
        throw notStarted(words.joined(separator: " "))
    }

    static func notStarted(_ detail: String) -> Fault {
        Fault(
            .busUnavailable, "The private bus of this home could not be started.",
            next: "Check that dbus-daemon is installed: scripts/setup", detail: detail)
    }
}
