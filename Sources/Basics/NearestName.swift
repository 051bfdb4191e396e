/// Finds what somebody meant who mistyped a name.
package enum NearestName {
    /// The candidate that is fewest edits away, if it is near enough to be worth naming.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (distance: distance(name, $0), name: $0) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(name.count, best.name.count) / 3) ? best.name : nil
    }

    /// How many insertions, deletions, changes and swaps of neighbours lead from one text to the other.
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
