import HandoffLab
import Platform

/// Where a process stops for good, the first time that it comes there.
final class Deathbed: Sendable {
    let reached = Promise<Void>()
    private let boundary: Boundary

    init(_ boundary: Boundary) { self.boundary = boundary }

    var hook: BoundaryHook {
        { [boundary, reached] here in
            guard here == boundary, reached.fulfil() else { return }
            // Nothing comes; the end of the process ends the wait.
            try? await Promise<Void>().value()
        }
    }
}
