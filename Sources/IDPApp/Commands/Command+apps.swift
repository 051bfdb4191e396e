import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

extension CommandLineInterface.Command {
    /// Registers an app.
    static let appsAdd = CommandLineInterface.Command(
        "apps add", "register an app: keys, certificate, manifest, and a row in both registries",
        details: """
            With --exec, --scheme or --jwks the app takes part in hand-offs. Without them it is a plain public OAuth \
            client of the provider. An app that is there keeps its keys, and what the options do not name.

            --jwks registers an app that made its own keys and keeps them: a JWK Set of three public keys whose kids are \
            command, encryption (P-256) and oauth. A key is pinned with its alg: ES256, EdDSA or PS256; without one, ES256.
            --csr beside it has the app prove that it holds the command key: a certificate request of its own, with the \
            app's id as common name. It is signed by the home's authority, and no private key moves.
            """,
        examples: [
            .init(
                "countersign-idp apps add com.example.notes --exec /usr/bin/notes --scheme com.example.notes",
                "an app that logs in by hand-off"),
            .init(
                "countersign-idp apps add com.example.tool --exec /usr/bin/tool --scheme com.example.tool --export-keys",
                "an app in another language: its keys in a file that any JOSE library reads"),
            .init(
                "countersign-idp apps add com.example.old --classic --scheme oldapp --redirect oldapp://callback",
                "an app that speaks the original's unsigned URLs"),
            .init(
                "countersign-idp apps add com.example.notes --scheme com.example.notes --jwks @keys.json",
                "an app that keeps its own keys"),
            .init(
                "countersign-idp apps add com.example.notes --scheme com.example.notes --jwks @keys.json --csr @request.pem",
                "the same, and it proves that it has the command key"),
            .init("countersign-idp apps add com.example.web --redirect https://example.com/cb", "a plain OAuth client"),
        ],
        positionals: [Positional("ID", "the app's id: a reverse domain name, also its name on the bus")],
        options: .describingAnApp + [
            Option("--scheme", "SCHEME", "the URL scheme that commands to the app have"),
            Option(
                "--conflict", "POLICY", values: .oneOf(SchemeConflicts.Policy.allCases.map(\.rawValue)),
                "who opens the URLs of a scheme that another app has"),
            Option(
                "--classic",
                "a client of the original's unsigned URLs: for experiments, heard by serve --allow-classic alone"),
            Option("--export-keys", "also write the keys as keys.json, for a program that does not embed the SDK"),
            Option(
                "--command-alg", "ALG", values: .oneOf(["ES256", "EdDSA", "PS256"]),
                "what a new app's commands are signed with; ES256 by default"),
        ] + .ownKeys
    ) { call in
        let id = try AppID(try call.argument("ID"))
        if call.flag("--classic") {
            return try await Device.run(call) { try await $0.addClassicClient(id, call) }
        }
        let isDescribedAsOne = ["--scheme", "--exec", "--jwks", "--csr"].contains { call.option($0) != nil }
        return try await Device.run(call) { device in
            let isHandoffApp = try isDescribedAsOne || device.isHandoffApp(id)
            return isHandoffApp ? try await device.addHandoffApp(id, call) : try await device.addPlainClient(id, call)
        }
    }

    /// Changes how an app is registered.
    static let appsChange = CommandLineInterface.Command(
        "apps change", "change how an app is registered; what is not named stays",
        details: """
            It counts from the next use, in programs that run as well; an app's own scopes and redirect URIs from its \
            next start. A list that is named replaces the one before. Keys are changed by apps rotate.
            """,
        examples: [
            .init("countersign-idp apps change com.example.notes --consent always", "ask at every login"),
            .init("countersign-idp apps change com.example.notes --scope-list \"openid profile\"", "fewer scopes"),
        ],
        positionals: [Positional("ID", "the app's id")],
        options: .describingAnApp
    ) { call in
        let id = try AppID(try call.argument("ID"))
        return try await Device.run(call) { device in
            guard try device.isHandoffApp(id) else { throw Fault(.unknownClientApp) }
            let enrolment = try await device.enrol(try device.description(of: id, call))
            try await device.exportKeys(of: id)
            call.output.result(enrolment.entry.json.objectValue ?? [:], text: "Changed \(id).\n\(enrolment.entry.text)")
            return .done
        }
    }

    /// Shows one app.
    static let appsShow = CommandLineInterface.Command(
        "apps show", "show how an app is registered",
        examples: [.init("countersign-idp apps show org.countersign.client", "")],
        positionals: [Positional("ID", "the app's id")]
    ) { call in
        let id = try AppID(try call.argument("ID"))
        return try await Device.run(call) { device in
            if let classic = try device.brokerStore.read({ try ClassicRegistry.find(id, in: $0) }) {
                call.output.result(classic.json, text: classic.shown(call.output))
                return .done
            }
            guard let entry = try device.brokerStore.read({ try AppRegistry.find(id, in: $0) }) else {
                guard let client = try device.plainClient(id) else { throw Fault(.unknownClientApp) }
                call.output.result(client.json(of: device.issuer), text: client.text(of: device.issuer))
                return .done
            }
            call.output.result(
                entry.json.objectValue ?? [:],
                text: entry.text + "\n  folder         \(device.home.layout.app(id.text))")
            return .done
        }
    }

    /// Lists the apps and clients.
    static let appsList = CommandLineInterface.Command(
        "apps list", "list the registered apps", examples: [.init("countersign-idp apps list", "")]
    ) { call in
        try await Device.run(call) { device in
            let apps = try device.brokerStore.read { try AppRegistry.list(in: $0) }
            let classic = try device.brokerStore.read { try ClassicRegistry.list(in: $0) }
            let plain = try device.plainClients()
            let conflicts = try SchemeConflicts(device.home).all()
            let rows =
                apps.map { [$0.id.text, $0.displayName, "hand-off", $0.scheme] }
                + plain.map { [$0.id.text, $0.displayName, "plain client", ""] }
                + classic.map { app in
                    [app.id.text, app.displayName, "CLASSIC, unsigned", app.scheme].map {
                        call.output.styled($0, .bad)
                    }
                }
            call.output.result(
                [
                    "apps": .array(apps.map(\.json)),
                    "classic": .array(classic.map { .object($0.json) }),
                    "clients": .array(plain.map { ["clientID": .string($0.id.text)] }),
                    "conflicts": .array(conflicts.map(\.json)),
                ],
                text: ([rows.isEmpty ? "No apps." : Output.table(["id", "name", "kind", "scheme"], rows)]
                    + conflicts.map {
                        "\($0.apps.joined(separator: " and ")) claim \($0.scheme); \($0.opens) opens it."
                    })
                    .joined(separator: "\n"))
            return .done
        }
    }

    /// Removes an app.
    static let appsRemove = CommandLineInterface.Command(
        "apps remove", "remove an app: its rows, keys and folder, and the consent given for it",
        examples: [.init("countersign-idp apps remove com.example.notes", "")],
        positionals: [Positional("ID", "the app's id")]
    ) { call in
        let id = try AppID(try call.argument("ID"))
        return try await Device.run(call) { device in
            try await device.remove(id, from: device.desktop(call))
            call.output.result(["removed": .string(id.text)], text: "Removed \(id).")
            return .done
        }
    }
}

extension [Option] {
    /// What is said about an app that takes part in hand-offs.
    fileprivate static let describingAnApp: [Option] = [
        Option("--name", "NAME", "the name that people see"),
        Option("--exec", "PATH", values: .file, "the program that the app is; the bus starts it when it is called"),
        Option("--redirect", "URI", repeats: true, "where authorization answers may go"),
        Option("--scope-list", "SCOPES", "the scopes it may ask for, divided by spaces"),
        Option("--host", "HOST", repeats: true, "a host that a login, or an https start address, may name"),
        Option("--consent", "RULE", values: .oneOf(["first-use", "always", "never"]), "when the person is asked"),
        Option("--delivery", "RULE", values: .oneOf(["any", "direct"]), "how commands may reach the app"),
        Option(
            "--allow", "PERMISSION", values: .oneOf(AppRegistryEntry.Permission.allCases.map(\.rawValue)),
            repeats: true, "what it may ask for beyond its own logins"),
        Option("--switch", "RULE", values: .oneOf(["ask", "silent"]), "whether it may change accounts unasked"),
        Option("--concurrency", "RULE", values: .oneOf(["many", "one"]), "how many logins may run at a time"),
    ]
}

extension Device {
    /// How an app is to be registered: as it is, with what the call says.
    fileprivate func description(
        of id: AppID, scheme: String? = nil, _ call: Invocation
    ) throws -> AppEnrolment.Description {
        var app = try description(of: id, scheme: scheme)
        if let name = call.option("--name") { app.displayName = name }
        if let path = call.option("--exec") {
            app.start = [Executable.absolute(path)]
            app.executable = Executable.binary(path)
            if let doubt = Executable.doubt(about: path) { call.output.talk("note: \(doubt)") }
        }
        let redirects = try call.options("--redirect").map { text throws(Fault) in try RedirectURI(text) }
        if !redirects.isEmpty { app.redirectURIs = redirects }
        if let scopes = call.option("--scope-list") { app.scopes = try ScopeSet(scopes) }
        if !call.options("--host").isEmpty {
            app.hosts = call.options("--host").map { $0.lowercased() }
        }
        if let rule = call.option("--consent").flatMap(AppRegistryEntry.ConsentRule.init) { app.consent = rule }
        if let rule = call.option("--delivery").flatMap(AppManifest.DeliveryRule.init) { app.delivery = rule }
        let permissions = call.options("--allow").compactMap(AppRegistryEntry.Permission.init)
        if !permissions.isEmpty { app.permissions = permissions }
        if let rule = call.option("--switch").flatMap(AppManifest.SwitchRule.init) { app.switchRule = rule }
        if let rule = call.option("--concurrency").flatMap(AppManifest.Concurrency.init) { app.concurrency = rule }
        return app
    }

    fileprivate func addHandoffApp(_ id: AppID, _ call: Invocation) async throws -> ExitStatus {
        let doubts = try call.option("--scheme").map { text throws(Fault) in try SchemeName.check(text) } ?? []
        for doubt in doubts { call.output.talk("note: \(doubt)") }
        let app = try description(of: id, scheme: call.option("--scheme"), call)
        let source = try KeySource(of: id, call)
        if case .own = source, call.flag("--export-keys") {
            throw call.invalid("--export-keys", "the app has its keys itself")
        }
        let conflict = try await conflict(about: app, call)
        let enrolment = try await enrol(app, keys: source ?? .made(.es256))
        try await exportKeys(of: id, isAsked: call.flag("--export-keys"))
        try SchemeConflicts(home).remove(id.text, except: app.scheme)
        if let conflict { try SchemeConflicts(home).note(conflict) }
        // Who says which program the app is has it started when somebody calls it.
        if call.option("--exec") != nil { try BusService.install(id.text, start: app.start, home: home.path) }
        let folder = home.layout.app(id.text)
        var result = enrolment.entry.json.objectValue ?? [:]
        result["folder"] = .string(folder)
        result["identityProvider"] = enrolment.manifest.identityProviders.first?.json
        call.output.result(
            result,
            text: """
                Registered \(id).
                  client id      \(enrolment.entry.clientID)
                  issuer         \(issuer)
                  redirect URIs  \(enrolment.entry.redirectURIs.map(\.text).joined(separator: " "))
                  folder         \(folder)
                """)
        return .done
    }
}
