package import Basics

extension ErrorCode {
    /// All codes of this module, from the lists of its folders.
    package static let linuxPlatform: [ErrorCode] = processes + dialogues + storage + localBus + home + http + desktop
}
