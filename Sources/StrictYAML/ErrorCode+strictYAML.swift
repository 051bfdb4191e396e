package import Basics

extension ErrorCode {
    /// A configuration file, manifest or script that the strict reader refuses.
    package static let invalidYAML = ErrorCode(
        "invalid-yaml", .invalidFile, "The file is not YAML as this product's rules have it.",
        next: "Correct the named line, and run the command again.")

    /// All codes of this module.
    package static let strictYAML: [ErrorCode] = [.invalidYAML]
}
