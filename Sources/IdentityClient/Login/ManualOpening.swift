import Basics
import Platform

/// What the person has to do where the app cannot do it alone: open an address, or bring the answer back.
public struct ManualOpening: Sendable, Equatable {
    /// The address to open by hand; `nil` where the manifest's opener has opened it already.
    public var address: String?
    /// Whether the answer may have to be brought back by hand: a browser, or an app, on another machine.
    public var answerComesByHand: Bool
    /// How long the login waits for the answer.
    public var patience: Duration

    public init(address: String?, answerComesByHand: Bool, patience: Duration) {
        self.address = address
        self.answerComesByHand = answerComesByHand
        self.patience = patience
    }
}
