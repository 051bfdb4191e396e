import Basics
import CLinux
import Glibc
import Platform

/// One call of posix_spawnp(3), with everything the child gets said explicitly.
struct ChildSpawn {
    let program: String
    let arguments: [String]
    let environment: [String: String]
    let pipes: ChildPipes
    let parentPipe: Int32?
    let ownSession: Bool

    /// Starts the program and returns its process id.
    ///
    /// - Throws: `program-missing` when there is no such program, `program-not-started` when it cannot be run.
    func run() throws(Fault) -> Int32 {
        let words = [program] + arguments
        let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        // A NUL would silently cut an argument short.
        guard !program.isEmpty, (words + assignments).allSatisfy({ !$0.utf8.contains(0) }) else {
            throw Fault(.programNotStarted, "A program's name or argument is empty or holds a NUL.")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        addActions(to: &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setAttributes(of: &attributes)
        var processID: pid_t = 0
        let failure = CStrings.with(words) { words in
            CStrings.with(assignments) { assignments in
                posix_spawnp(&processID, program, &actions, &attributes, words, assignments)
            }
        }
        guard failure == 0 else { throw fault(failure) }
        return processID
    }

    private func addActions(to actions: inout posix_spawn_file_actions_t) {
        if let input = pipes.input {
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, pipes.error.write, 2)
        if let parentPipe { posix_spawn_file_actions_adddup2(&actions, parentPipe, ParentPipe.childDescriptor) }
        // Descriptors that other code of this process opened without close-on-exec: an inherited pipe would hide its
        // own end from its reader.
        posix_spawn_file_actions_addclosefrom_np(&actions, parentPipe == nil ? 3 : ParentPipe.childDescriptor + 1)
    }

    private func setAttributes(of attributes: inout posix_spawnattr_t) {
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        if ownSession { flags |= 0x80 }  // POSIX_SPAWN_SETSID, which the Glibc module leaves out
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
    }

    private func fault(_ number: Int32) -> Fault {
        if number == ENOENT {
            return Fault(
                .programMissing, "There is no program \(program).", next: "Install it, or check its path.")
        }
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return Fault(.programNotStarted, "Cannot start \(program): \(reason).")
    }
}

/// Lists of C strings, as argument and environment vectors are.
enum CStrings {
    static func with<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
