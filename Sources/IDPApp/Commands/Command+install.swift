import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    /// Installs an app of the home in the desktop.
    static let appsInstall = CommandLineInterface.Command(
        "apps install", "install an app in the desktop, so that its URLs open it and the bus starts it",
        details: """
            Without ID this app itself. Writes a desktop entry and a service file, and makes the app the default of \
            its schemes. What was the default before is kept, and is it again after: countersign-idp apps uninstall
            """,
        examples: [
            .init("countersign-idp apps install", "a login then starts this app where it does not run"),
            .init("countersign-idp apps install com.example.notes", "an app that was added with --exec"),
        ],
        positionals: [Positional("ID", .optional, "the app's id")]
    ) { call in
        try await Device.run(call) { device in
            let app = try await device.desktopApp(call.optionalArgument("ID"))
            let report = try device.desktop(call).install(app)
            call.output.result(report.json(app: app.id), text: report.words(app: app.id))
            return .done
        }
    }

    /// Takes an app out of the desktop.
    static let appsUninstall = CommandLineInterface.Command(
        "apps uninstall", "take an app out of the desktop; what opened its URLs before does so again",
        examples: [.init("countersign-idp apps uninstall", "removes what apps install wrote, and nothing else")],
        positionals: [Positional("ID", .optional, "the app's id; without one, this app itself")]
    ) { call in
        try await Device.run(call) { device in
            let id = try AppID(call.optionalArgument("ID") ?? AppEnrolment.identityProviderID).text
            let schemes = try device.desktop(call).uninstall(id)
            call.output.result(
                DesktopInstallation.json(uninstalled: schemes, app: id),
                text: DesktopInstallation.words(uninstalled: schemes, app: id))
            return .done
        }
    }
}

extension Device {
    func desktop(_ call: Invocation) -> DesktopInstallation {
        DesktopInstallation(home, folders: DesktopFolders(variables: call.environment))
    }

    /// What is installed of an app: one of our two programs, or the one that it was added with.
    fileprivate func desktopApp(_ text: String?) async throws -> DesktopInstallation.App {
        let own = try await identityProvider().manifest
        let id = try AppID(text ?? own.id).text
        if id == own.id {
            guard let program = PrivateBus.thisProgramAsKeeper.first else { throw Fault(.notStartable) }
            return .countersignIDP(own, program: program, home: home)
        }
        let manifest = try home.manifest(of: id)
        guard let program = manifest.start.first else {
            throw Fault(
                .notStartable, "It is not known which program \(id) is.",
                next: "Say so: countersign-idp apps add \(id) --exec PATH")
        }
        let isOurs = program.split(separator: "/").last == "countersign-client"
        return isOurs ? .countersignClient(manifest, program: program, home: home) : .other(manifest)
    }
}
