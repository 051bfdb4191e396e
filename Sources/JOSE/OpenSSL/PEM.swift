import COpenSSL

/// PEM text (RFC 7468) and OpenSSL's memory files.
enum PEM {
    /// Answers OpenSSL's question for a password with no: without it, an encrypted block would ask at the terminal.
    static let refusingPassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) ->
            Int32 = { _, _, _, _ in -1 }

    /// What `write` puts into a memory file, as text; nil where it fails.
    static func text(_ write: (OpaquePointer) -> Bool) -> String? {
        guard let file = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(file) }
        var start: UnsafePointer<UInt8>?
        guard write(file) else { return nil }
        let count = countersign_bio_contents(file, &start)
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Reads one block; nil where there is none, or a second one follows it.
    static func readOne(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        // Two blocks in one text would let two readers see two different things.
        let starts = text.split(separator: "-----BEGIN ", omittingEmptySubsequences: false).count - 1
        guard text.utf8.count <= 65_536, starts == 1 else { return nil }
        return Array(text.utf8).withUnsafeBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(file) }
            return read(file)
        }
    }
}
