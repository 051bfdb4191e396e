package import Basics

/// One value of a YAML or JSON file, with the place where it stands.
package struct YAMLNode: Hashable, Sendable {
    /// Where in which file something stands; both numbers start at 1.
    package struct Position: Hashable, Sendable, CustomStringConvertible {
        /// The name of the file, as messages show it.
        package let file: String
        package let line: Int
        package let column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }

        package var description: String { "\(file):\(line):\(column)" }
    }

    /// A key of a mapping and its value.
    package struct Pair: Hashable, Sendable {
        package let key: String
        package let keyPosition: Position
        package let value: YAMLNode

        package init(key: String, keyPosition: Position, value: YAMLNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// What a node holds.
    ///
    /// A plain scalar is only text here; the getter that reads it says what it has to be.
    package enum Content: Hashable, Sendable {
        case scalar(String, quoted: Bool)
        case sequence([YAMLNode])
        /// The pairs in the order of the file; no key stands twice.
        case mapping([Pair])
    }

    package let content: Content
    package let position: Position

    package init(_ content: Content, at position: Position) {
        self.content = content
        self.position = position
    }
}

extension YAMLNode {
    /// How much a reader takes.
    package struct Limits: Sendable {
        /// The longest text, in bytes.
        package var bytes: Int
        /// The deepest nesting of sequences and mappings.
        package var depth: Int
        /// The most values in one file.
        package var nodes: Int

        package init(bytes: Int = 1_048_576, depth: Int = 32, nodes: Int = 100_000) {
            self.bytes = bytes
            self.depth = depth
            self.nodes = nodes
        }
    }

    /// A refusal of this node that names its place; for what a module finds wrong with the meaning of a file.
    package func refusal(_ why: String, next nextStep: String? = nil) -> Fault {
        Fault(.invalidYAML, "\(position): \(why)", next: nextStep)
    }

    /// Whether the node is an unquoted `null`, `~` or nothing at all.
    package var isNull: Bool {
        guard case .scalar(let text, quoted: false) = content else { return false }
        return PlainScalar.isNull(text)
    }
}
