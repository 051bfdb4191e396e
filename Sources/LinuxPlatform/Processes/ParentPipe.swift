import Glibc

/// A pipe that nobody writes to: children of ours inherit one end, and see its end when this process has gone.
///
/// The kernel closes the other end however the process dies. (A parent-death signal would follow the thread that
/// started the child, not the process.)
enum ParentPipe {
    /// The environment variable that tells a child which descriptor to watch.
    static let variable = "COUNTERSIGN_PARENT_PIPE"
    /// The child's descriptor.
    static let childDescriptor: Int32 = 3

    /// The end that children inherit; `nil` when the system had no descriptors left.
    static let readEnd: Int32? = Pipe.make()?.read
}
