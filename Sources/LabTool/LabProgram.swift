// LabTool is countersign: the laboratory, which runs both sides of a hand-off side by side.
import CommandLineInterface
import FoundationEssentials
import LinuxPlatform

/// The program and its command table.
enum LabProgram {
    /// Runs the command that the process was started with, and returns its exit code.
    static func main() async -> Int32 {
        let environment = ProcessInfo.processInfo.environment
        return await StopSignals.run(environment: environment) {
            await program.run(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: environment,
                interruption: { StopSignals.last == .terminated ? .terminated : .interrupted })
        }
    }

    static let program = Program(
        name: "countersign", summary: "the laboratory: hand-offs run, shown and measured on one machine",
        version: Program.productVersion, versionDetails: [("protocol", "v1.0")],
        topics: [.exitCodes, .environment(), .errors],
        commands: [
            .demo, .run, .trace, .explain, .doctor, .simulate, .deaths, .bench, .homeList, .homeRemove,
            .errorReference, .generate, .labPrompt,
        ])
}
