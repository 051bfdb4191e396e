// Calls only: code here would be bound to the main actor, and a C callback written here would die on another thread.
import LinuxPlatform

// First, and on the main thread: a keeper waits for signals, which any other thread would take from it.
PrivateBus.runKeeperIfAsked(arguments: CommandLine.arguments)
ProcessEnd.now(await LabProgram.main())
