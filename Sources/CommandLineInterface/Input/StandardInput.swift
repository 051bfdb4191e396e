package import Basics
import Glibc

/// The process's own files and standard input.
package struct StandardInput: InputSource {
    package init() {}

    package func readFile(_ path: String, limit: Int) throws(Fault) -> InputFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let why = access(path, F_OK) == 0 ? "it is there, but may not be read" : "there is no such file"
            throw Fault(.unreadableInput, "\(path): \(why).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw Fault(.unreadableInput, "\(path): it is a folder, and a file is wanted.")
        }
        // Only a plain file keeps what it holds; a pipe such as /dev/fd/63 is gone when it has been read.
        let othersMayRead = status.st_mode & S_IFMT == S_IFREG && status.st_mode & (S_IRGRP | S_IROTH) != 0
        return InputFile(bytes: try readAll(descriptor, path, limit), othersMayRead: othersMayRead)
    }

    package func readStandardInput(limit: Int) throws(Fault) -> [UInt8] {
        try readAll(STDIN_FILENO, "standard input", limit)
    }

    package var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    private func readAll(_ descriptor: CInt, _ name: String, _ limit: Int) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = readRetrying(descriptor, &buffer)
            guard count >= 0 else { throw Fault(.unreadableInput, "\(name) cannot be read.") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else {
                throw Fault(.unreadableInput, "\(name) is larger than \(limit) bytes.")
            }
        }
    }
}

/// Reads once, and again where a signal came between.
///
/// Not inlined: `errno` must be asked on this thread, here.
@inline(never)
private func readRetrying(_ descriptor: CInt, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count >= 0 || errno != EINTR { return count }
    }
}
