import Basics
import FoundationEssentials

/// The memory of another process: its proportional set size.
struct MemoryProbe: Sendable {
    let processID: Int32

    /// The size now, in MiB.
    func mebibytes() throws -> Double {
        guard let data = FileManager.default.contents(atPath: "/proc/\(processID)/smaps_rollup") else {
            throw Fault(.benchFailed, "The memory of process \(processID) cannot be read.")
        }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix("Pss:") {
            let words = line.split(separator: " ")
            if words.count >= 2, let kibibytes = Double(words[1]) { return kibibytes / 1_024 }
        }
        throw Fault(.benchFailed)
    }
}
