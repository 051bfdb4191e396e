package import Basics

/// What a home's bus is now, found without joining it.
package struct BusStatus: Sendable {
    /// The bus in words, with its address.
    package let words: String
    package let address: String
    package let isPrivate: Bool
    /// Whether there is a daemon at the address.
    package let answers: Bool
    /// Whether a program of the home is on it.
    package let isInUse: Bool

    /// What the home has noted of its bus; `nil` where no program uses one.
    package static func of(home: String) throws(Fault) -> BusStatus? {
        guard let bytes = try PrivateFile(path: home + "/run/bus.json").read(atMost: 16_384),
            let record = BusRecord(bytes)
        else { return nil }
        return BusStatus(
            words: record.words, address: record.address, isPrivate: record.kind == .private,
            answers: BusAddress.answers(record.address), isInUse: HomeUse.isRunning(home))
    }
}
