/// The name of a point where a transition has just been persisted. The lab stops a party there; a role does nothing
/// else at it.
package struct Boundary: Hashable, Sendable, RawRepresentable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ name: String) { rawValue = name }
}

/// What happens at a boundary: nothing, unless the lab says otherwise.
package typealias BoundaryHook = @Sendable (Boundary) async -> Void
