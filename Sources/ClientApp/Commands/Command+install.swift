import Basics
import CommandLineInterface
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// Installs this app in the desktop.
    static let appsInstall = CommandLineInterface.Command(
        "apps install", "install this app in the desktop, so that its URLs open it and the bus starts it",
        details: """
            Writes a desktop entry and a service file, and makes the app the default of its schemes. What was the \
            default before is kept, and is it again after: countersign-client apps uninstall
            """,
        examples: [
            .init("countersign-client apps install", "then: gio open SCHEME://… reaches the app"),
            .init("countersign-client --app com.example.notes apps install", "another app of the home"),
        ]
    ) { call in
        let home = try ClientSession.home(call)
        let manifest = try home.manifest(of: call.option("--app") ?? ClientSession.defaultApp)
        let report = try DesktopInstallation(home, folders: DesktopFolders(variables: call.environment)).install(
            .countersignClient(manifest, program: try ClientProgram.path(), home: home))
        call.output.result(report.json(app: manifest.id), text: report.words(app: manifest.id))
        return .done
    }

    /// Takes this app out of the desktop.
    static let appsUninstall = CommandLineInterface.Command(
        "apps uninstall", "take this app out of the desktop; what opened its URLs before does so again",
        examples: [.init("countersign-client apps uninstall", "removes what apps install wrote, and nothing else")]
    ) { call in
        let home = try ClientSession.home(call)
        let id = call.option("--app") ?? ClientSession.defaultApp
        let schemes = try DesktopInstallation(home, folders: DesktopFolders(variables: call.environment)).uninstall(id)
        call.output.result(
            DesktopInstallation.json(uninstalled: schemes, app: id),
            text: DesktopInstallation.words(uninstalled: schemes, app: id))
        return .done
    }
}

extension ClientProgram {
    /// Where this program is.
    static func path() throws -> String {
        guard let path = PrivateBus.thisProgramAsKeeper.first, path.hasPrefix("/") else { throw Fault(.notStartable) }
        return path
    }
}
