package import Basics
import CLinux
import Glibc
package import Platform
import Synchronization

/// An app's log in the home, `log/APP.jsonl`: one JSON object per line, each written by one call, so that several
/// processes share the file without mixing their lines.
package final class FileJournal: Journal {
    private struct State {
        var descriptor: Int32 = -1
        var lost = 0
    }

    /// Counts what this process writes, to whichever log: the order of what happened in it.
    private static let sequence = Atomic<UInt64>(0)

    private let app: String
    private let path: String
    private let rotationSize: Int
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// Opens the log of an app in a folder, which is made where it is missing.
    ///
    /// - Parameter rotationSize: from this size on the file is renamed to `APP.jsonl.1`, in place of the one before.
    /// - Throws: `unsafe-permissions` or `unsafe-path` when others can reach the folder.
    package init(
        directory: String, app: String, now: @escaping @Sendable () -> Timestamp, rotationSize: Int = 8 << 20
    ) throws(Fault) {
        try GroupName.require(app)
        path = try PrivateDirectory(creating: directory).path(of: app + ".jsonl")
        self.app = app
        self.now = now
        self.rotationSize = rotationSize
    }

    deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    package func record(_ entry: JournalEntry) {
        let sequence = Self.sequence.add(1, ordering: .relaxed).newValue
        let time = now()
        state.withLock { state in
            guard ready(&state) else {
                state.lost += 1
                return
            }
            if state.lost > 0 {
                let note = JournalEntry(.note, "\(state.lost) entries could not be written before this one")
                if write(note, time, sequence, state.descriptor) { state.lost = 0 }
            }
            if !write(entry, time, sequence, state.descriptor) { state.lost += 1 }
        }
    }

    private func write(_ entry: JournalEntry, _ time: Timestamp, _ sequence: UInt64, _ descriptor: Int32) -> Bool {
        let line = entry.jsonLine(app: app, time: time, process: getpid(), sequence: sequence)
        return PrivateFile.writeAll(line.serialized() + [0x0A], to: descriptor)
    }

    // MARK: The file, under the lock

    /// Opens the file where that is needed, and begins a new one when it is full.
    private func ready(_ state: inout State) -> Bool {
        do {
            // Once to open, once more when this or another process has renamed the file.
            for _ in 0..<4 {
                if state.descriptor < 0 { state.descriptor = try opened() }
                let own = try FileStatus.of(descriptor: state.descriptor, path)
                if let current = try FileStatus.of(path: path), current.isSameFile(as: own) {
                    if own.size < rotationSize { return true }
                    rotate(state.descriptor)
                }
                close(state.descriptor)
                state.descriptor = -1
            }
            return false
        } catch {
            // A log that cannot be kept must not stop the app; the loss is counted and noted when it works again.
            return false
        }
    }

    private func opened() throws(Fault) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemError.fault(countersign_errno(), "open", path) }
        do {
            try FileStatus.of(descriptor: descriptor, path).requirePrivate(.file, path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Renames the full file, unless another process has done so meanwhile; the lock ends with the descriptor.
    private func rotate(_ descriptor: Int32) {
        guard flock(descriptor, LOCK_EX) == 0, let own = try? FileStatus.of(descriptor: descriptor, path),
            let current = try? FileStatus.of(path: path), current.isSameFile(as: own)
        else { return }
        rename(path, path + ".1")
    }
}
