import Basics
import COpenSSL

extension Fault {
    /// The fault for an OpenSSL call that failed where it should not; takes OpenSSL's reasons off its queue.
    static func openSSL(_ doing: String) -> Fault {
        var reasons: [String] = []
        while case let number = ERR_get_error(), number != 0 {
            reasons.append(ERR_reason_error_string(number).map { String(cString: $0) } ?? "error \(number)")
        }
        return Fault(.cryptographyFailed, detail: "\(doing): \(reasons.joined(separator: ", "))")
    }
}

/// Forgets what failed: the queue belongs to the thread, and TLS on the same thread would take it for its own.
func forgetOpenSSLErrors() { ERR_clear_error() }
