/// Whether two texts are the same bytes.
///
/// Swift's `==` calls canonically equivalent texts equal, a KELVIN SIGN and a `K` for one. On the wire they are two.
package func sameBytes(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.utf8.elementsEqual(right.utf8)
}

/// Whether two hosts, perhaps with their ports, are the same: ASCII letters in upper and lower case are (RFC 4343), and
/// nothing else is.
package func sameHost(_ left: String, _ right: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    return left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
}

extension String {
    /// The text as it may be shown to people: control and direction-changing characters as their numbers, and cut.
    package func shown(limit: Int = 200) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return unicodeScalars.count > limit ? text + "…" : text
    }
}
