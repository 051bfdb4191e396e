import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips, and says so, where a program that the test uses is not installed; `scripts/test` installs them.
    static func needs(_ tool: String) -> Self {
        .enabled("\(tool) is not installed") {
            ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { access($0 + tool, X_OK) == 0 }
        }
    }
}
