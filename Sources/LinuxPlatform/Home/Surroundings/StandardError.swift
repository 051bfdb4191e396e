/// The process's standard error, without a buffer.
enum StandardError {
    static func write(_ text: String) {
        // Nothing can be done about a closed standard error, and nothing depends on it.
        _ = PrivateFile.writeAll(Array(text.utf8), to: 2)
    }
}
