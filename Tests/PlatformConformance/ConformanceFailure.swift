/// A named rule of a protocol that a form of it does not keep.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Fails the check unless `condition` holds.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    guard condition else { throw ConformanceFailure(rule()) }
}

/// Fails the check unless the two are equal, and shows both.
func requireEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ rule: @autoclosure () -> String) throws {
    guard found == expected else { throw ConformanceFailure("\(rule()): found \(found), expected \(expected)") }
}

/// The value, or a failed check.
func requireValue<Value>(_ value: Value?, _ rule: @autoclosure () -> String) throws -> Value {
    guard let value else { throw ConformanceFailure(rule()) }
    return value
}
