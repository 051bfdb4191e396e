/// One argument without a name of its own on the command line.
package struct Positional: Sendable {
    package enum Count: Sendable {
        /// Exactly one.
        case required
        /// None or one.
        case optional
        /// One or more.
        case repeated
        /// None or more.
        case optionalRepeated
    }

    /// What stands for it in help, and what the command asks for it by: `ID`, `FILE|DIR`.
    package let name: String
    package let help: String
    package let count: Count
    package let values: Option.Values

    /// An argument that has to stand.
    package init(_ name: String, values: Option.Values = .any, _ help: String) {
        self.init(name, .required, values: values, help)
    }

    /// An argument that may be missing, or stand more than once.
    package init(_ name: String, _ count: Count, values: Option.Values = .any, _ help: String) {
        self.name = name
        self.count = count
        self.values = values
        self.help = help
    }

    /// The fewest that must stand.
    var minimum: Int {
        switch count {
        case .required, .repeated: 1
        case .optional, .optionalRepeated: 0
        }
    }

    var takesMany: Bool {
        switch count {
        case .required, .optional: false
        case .repeated, .optionalRepeated: true
        }
    }

    /// How a usage line writes it.
    var usage: String {
        let word = takesMany ? "\(name)…" : name
        return minimum == 0 ? "[\(word)]" : word
    }
}
