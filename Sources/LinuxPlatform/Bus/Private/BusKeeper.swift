import Basics
import CLinux
import Glibc
import Platform
import Synchronization

/// The process that keeps a private bus: parent of its daemon, and gone right after it.
///
/// It waits for three things, each on a thread of its own: the daemon's end, the last party's end, and SIGTERM. It
/// never uses Swift's tasks, so nothing here needs an executor.
enum BusKeeper {
    /// What it writes once the daemon listens and is noted in the home.
    static let readyLine = "countersign bus keeper: ready"

    /// Keeps the bus of a home until its last party has left; returns the exit code.
    static func run(home: String, socket: String) -> Int32 {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            let folder = try BusFolder(home: home)
            let kept = try start(in: folder, socket: socket)
            say(readyLine)
            let gate = try folder.gate()
            let parties = try folder.parties()
            // From here on nobody reads what we say.
            detachFromStarter()
            let ending = Ending(gate: gate, parties: parties, daemon: kept.daemon)
            DetachedThread.start { ending.waitForLastParty() }
            DetachedThread.start { ending.waitForSignal() }
            collect(kept.daemon.processID)
            ending.cleanUp(after: kept.record, in: folder)
            return 0
        } catch {
            say("\(error.text) \(error.detail ?? "")")
            return 1
        }
    }

    private static func start(
        in folder: BusFolder, socket: String
    ) throws(Fault) -> (record: BusRecord, daemon: ProcessIdentity) {
        let command = try PrivateBus.daemonCommand(in: folder, socket: socket)
        let pipes = try ChildPipes(withInput: false)
        let spawn = ChildSpawn(
            program: command.program, arguments: command.arguments,
            environment: command.environment ?? [:], pipes: pipes, parentPipe: nil, ownSession: false)
        let processID: Int32
        do {
            processID = try spawn.run()
        } catch {
            pipes.closeAll()
            throw error
        }
        pipes.closeChildEnds()
        let address = firstLine(of: pipes.output.read)
        guard let address, let daemon = ProcessIdentity(processID), let keeper = ProcessIdentity(getpid()) else {
            let words = firstLine(of: pipes.error.read) ?? "no address within the time"
            kill(processID, SIGKILL)
            collect(processID)
            throw PrivateBus.notStarted(words)
        }
        let record = BusRecord(kind: .private, address: address, daemon: daemon, keeper: keeper)
        do {
            try folder.recordFile.write(record.bytes)
        } catch {
            kill(processID, SIGKILL)
            collect(processID)
            throw error
        }
        // The apps that the daemon starts write here too; what nobody reads would stop them in the end.
        for descriptor in [pipes.output.read, pipes.error.read] { DetachedThread.start { discardAll(of: descriptor) } }
        return (record, daemon)
    }

    private static func discardAll(of descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while poll(&entry, 1, -1) >= 0 || countersign_errno() == EINTR {
            let count = read(descriptor, &bytes, bytes.count)
            if count == 0 || (count < 0 && ![EAGAIN, EINTR].contains(countersign_errno())) { return }
        }
    }

    private static func firstLine(of descriptor: Int32) -> String? {
        var text: [UInt8] = []
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !text.contains(UInt8(ascii: "\n")), poll(&entry, 1, 5_000) > 0 {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes[..<count]
        }
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func collect(_ processID: Int32) {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, countersign_errno() == EINTR {}
    }

    private static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(1, line, line.count)
    }

    private static func detachFromStarter() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        for descriptor: Int32 in 0...2 { dup2(nothing, descriptor) }
    }

    /// The end of a kept bus: one of several threads begins it, the main one finishes.
    private final class Ending: Sendable {
        private let gate: FileLock
        private let parties: FileLock
        private let daemon: ProcessIdentity
        private let holdsGate = Mutex(false)

        init(gate: FileLock, parties: FileLock, daemon: ProcessIdentity) {
            self.gate = gate
            self.parties = parties
            self.daemon = daemon
        }

        func waitForLastParty() {
            while true {
                guard (try? parties.waitForLock(.exclusive)) != nil else { break }
                // Given back at once: whoever joins holds the gate and would wait for us while we wait for it.
                parties.unlock()
                let isLast = holdsGate.withLock { holdsGate in
                    guard (try? gate.waitForLock(.exclusive)) != nil else { return true }
                    holdsGate = (try? parties.tryLock(.exclusive)) ?? true
                    if !holdsGate { gate.unlock() }
                    return holdsGate
                }
                if isLast { break }
            }
            endDaemon()
        }

        func waitForSignal() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGTERM)
            var number: Int32 = 0
            sigwait(&signals, &number)
            endDaemon()
        }

        /// Removes the daemon's record and socket while nobody can join.
        func cleanUp(after record: BusRecord, in folder: BusFolder) {
            holdsGate.withLock { holdsGate in
                if !holdsGate { _ = try? gate.waitForLock(.exclusive) }
                PrivateBus.removeTraces(of: record, in: folder)
            }
        }

        private func endDaemon() {
            daemon.signal(SIGTERM)
            sleep(2)
            daemon.signal(SIGKILL)
        }
    }
}
