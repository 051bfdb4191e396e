/// A value that shows as dots wherever it is printed, logged or reflected.
public struct Secret<Value: Sendable>: Sendable {
    /// The value itself. Named so that each reading of it is seen.
    public let unmasked: Value

    /// Wraps a value.
    public init(_ value: Value) { unmasked = value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try unmasked.encode(to: encoder) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "••••••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
