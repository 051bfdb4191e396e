import Glibc
package import Platform

/// A switch for tests: with `COUNTERSIGN_DIE_AT=NAME` in its environment, the process kills itself with SIGKILL at the
/// boundary of that name, as a crash there would. It has no other effect, and no other way in.
package enum DeathSwitch {
    package static let variable = "COUNTERSIGN_DIE_AT"

    /// What happens at boundaries, for this environment.
    package static func hook(variables: [String: String]) -> BoundaryHook {
        guard let name = variables[variable], !name.isEmpty else { return { _ in } }
        return { boundary in
            guard boundary.rawValue == name else { return }
            kill(getpid(), SIGKILL)
            // The signal may take a moment, and nothing may happen in it.
            while true { pause() }
        }
    }
}
