import COpenSSL
import Glibc

/// How a process with threads of ours ends.
///
/// libcrypto frees its tables in an exit handler, and a thread that still holds a key then frees what is gone: the
/// process aborts after its work was done.
package enum ProcessEnd {
    /// Ends this process at once with that status: what was written is flushed, and no library cleans up under the
    /// threads that are still at work.
    package static func now(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Leaves libcrypto's memory to the system when the process of an embedding app ends by itself. It counts when it
    /// comes before any other call into libcrypto.
    static func keepLibcrypto() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
