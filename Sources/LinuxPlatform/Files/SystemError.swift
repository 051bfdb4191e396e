import Basics
import Glibc

/// Turns the number of a failed system call into a fault.
enum SystemError {
    /// The fault for `number`, met when it was tried to `verb` the file at `path`.
    static func fault(_ number: Int32, _ verb: String, _ path: String) -> Fault {
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        let text = "Cannot \(verb) \(path): \(reason)."
        switch number {
        case ELOOP: return Fault(.unsafePath, "A link stands where a private file of this home belongs: \(path)")
        case ENOTDIR: return Fault(.unsafePath, "Not a folder on the way to \(path)")
        case ENOSPC, EDQUOT: return Fault(.fileUnavailable, text, next: "Make room on the disk.")
        case EACCES, EPERM, EROFS:
            return Fault(.fileUnavailable, text, next: "Use a home that you can write, with --home.")
        default: return Fault(.fileUnavailable, text)
        }
    }
}
