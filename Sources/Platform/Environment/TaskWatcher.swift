/// An executor that wants to know which tasks of its scopes have not ended.
protocol TaskWatcher: Sendable {
    /// A task was started; the number names it in `taskEnded`.
    func taskStarted(_ name: String) -> Int
    /// The task of that number has ended.
    func taskEnded(_ number: Int)
}
