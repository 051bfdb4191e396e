/// How an app's surroundings on this machine are to be.
public struct SurroundingsOptions: Sendable {
    /// Which bus: `session`, `private`, or a D-Bus address. `nil`: the one of the home.
    public var bus: String?
    /// How questions are put: `terminal`, `web`, `command:PATH` or `script:CHOICE`. `nil`: the terminal if there is
    /// one, else a web page if there is a display.
    public var prompt: String?
    /// Whether nobody may be asked.
    public var noInput: Bool
    /// The argument list that starts a keeper for the home's private bus, `["/usr/bin/countersign-idp"]` say. Without
    /// one, a bus that this program started ends when the last party leaves it, but not when that one is killed.
    public var keeper: [String]?

    public init(bus: String? = nil, prompt: String? = nil, noInput: Bool = false, keeper: [String]? = nil) {
        self.bus = bus
        self.prompt = prompt
        self.noInput = noInput
        self.keeper = keeper
    }
}
