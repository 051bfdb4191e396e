import Basics
import CLinux
import Glibc

/// A process by its number and the time it started, which together are never used again before the next boot.
struct ProcessIdentity: Sendable, Equatable {
    let processID: Int32
    /// In clock ticks since the boot.
    let startTime: Int64

    /// The process that has this number now; `nil` when there is none, or only a dead one that nobody collected.
    init?(_ processID: Int32) {
        guard processID > 0, let status = ProcessIdentity.status(of: processID) else { return nil }
        // The second field is the program's name in brackets, and may itself hold spaces and brackets.
        guard let bracket = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: bracket)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let time = Int64(fields[19]) else { return nil }
        self.processID = processID
        startTime = time
    }

    init?(_ json: JSONValue?) {
        guard let json, let number = json["pid"]?.integerValue, let processID = Int32(exactly: number),
            let time = json["start"]?.integerValue
        else { return nil }
        self.processID = processID
        startTime = time
    }

    var json: JSONValue { ["pid": .integer(Int64(processID)), "start": .integer(startTime)] }

    /// Whether that very process still runs.
    var isAlive: Bool { ProcessIdentity(processID) == self }

    /// Sends a signal to that process, never to a later one with its number.
    func signal(_ number: Int32) {
        let process = pidfd_open(processID, 0)
        guard process >= 0 else { return }
        defer { close(process) }
        // Checked after the descriptor is held: from here on it stands for this process alone.
        if isAlive { _ = countersign_signal_process(process, number) }
    }

    /// Asks the process to end, and ends it by force when it does not; returns when it has gone.
    func end() async {
        signal(SIGTERM)
        let patience = ContinuousClock.now + .seconds(2)
        while isAlive {
            if ContinuousClock.now > patience { signal(SIGKILL) }
            // Cancellation must not leave the process behind, so the wait goes on without the pause.
            do { try await Task.sleep(for: .milliseconds(4)) } catch { await Task.yield() }
        }
    }

    private static func status(of processID: Int32) -> String? {
        let descriptor = open("/proc/\(processID)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 2_048)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
