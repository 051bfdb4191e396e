import FoundationEssentials

/// The machine that the program runs on.
enum Machine {
    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
