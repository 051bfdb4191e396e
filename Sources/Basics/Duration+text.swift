extension Duration {
    /// Reads `90s`, `2h`, `5m`, `500ms` or `1d`: digits and a unit, nothing else; what options and files write.
    package init?(text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,12})(ms|s|m|h|d)/), let count = Int64(match.1) else {
            return nil
        }
        switch match.2 {
        case "ms": self = .milliseconds(count)
        case "s": self = .seconds(count)
        case "m": self = .seconds(count * 60)
        case "h": self = .seconds(count * 3_600)
        default: self = .seconds(count * 86_400)
        }
    }
}
