package import Basics
import Glibc

/// Starts this program again in the same process, for what has to be in the environment before the first line runs.
package enum ProcessRestart {
    /// Runs the program anew with the same arguments and one more variable; returns where the variable is there.
    ///
    /// - Throws: `internal-fault` where the system does not start it.
    package static func once(with variable: String, _ value: String, in environment: [String: String]) throws(Fault) {
        guard environment[variable] != value else { return }
        setenv(variable, value, 1)
        // Freed never: the program that they belong to is replaced.
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        throw Fault(.internalFault, detail: "execv failed with \(errno)")
    }
}
