/// Names what a sealed value is and where it belongs, as associated data: a value moved elsewhere does not open.
enum SealingContext {
    /// The fields, each behind its length, so that no two lists give the same bytes.
    static func bytes(_ purpose: String, _ fields: String...) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in [purpose] + fields {
            let count = UInt32(field.utf8.count)
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
            bytes += field.utf8
        }
        return bytes
    }
}
