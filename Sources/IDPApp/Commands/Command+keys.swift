import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import Platform

extension CommandLineInterface.Command {
    private static let overlap = Option(
        "--overlap", "TIME", "how long the present keys count yet: 24h by default; 0s ends them at once")
    private static let algorithm = Option(
        "--command-alg", "ALG", values: .oneOf(["ES256", "EdDSA", "PS256"]),
        "what commands are signed with; as before by default")

    /// Lists the identity provider app's keys.
    static let keysList = CommandLineInterface.Command(
        "keys list", "list this identity provider app's keys, and until when replaced ones count",
        examples: [.init("countersign-idp keys list", "")]
    ) { call in
        try await Device.run(call) { device in
            let id = AppEnrolment.identityProviderID
            _ = try await device.identityProvider()
            let (keys, former) = try await device.withSecrets(of: id) { secrets in
                (try await AppKeys.load(from: secrets), try await KeyRotation(secrets: secrets).former())
            }
            var rows = [
                ["command", keys.command.keyID, keys.command.algorithm.rawValue, "in use"],
                ["encryption", keys.encryption.thumbprint.value, "ECDH-ES", "in use"],
                ["oauth", keys.oauth.keyID, keys.oauth.algorithm.rawValue, "in use"],
            ]
            rows += former.filter { device.environment.now() < $0.ends }.map { key in
                [key.use, key.thumbprint.value, "", "until \(key.ends)"]
            }
            call.output.result(
                [
                    "keys": .array(
                        rows.map { row in
                            ["use": .string(row[0]), "kid": .string(row[1]), "state": .string(row[3])]
                        })
                ], text: Output.table(["use", "kid", "alg", "state"], rows))
            return .done
        }
    }

    /// Replaces the identity provider app's keys.
    static let keysRotate = CommandLineInterface.Command(
        "keys rotate", "give this identity provider app new keys for commands and for receiving",
        details: """
            Every client app of the home has the new keys in its manifest when this ends. The present ones count for the \
            overlap, so that logins under way are finished and apps that run find the new ones in time. A change that \
            was cut off is finished by doing it again.
            """,
        examples: [
            .init("countersign-idp keys rotate", "the present keys count for another day"),
            .init("countersign-idp keys rotate --overlap 0s", "at once: somebody else may know the key"),
            .init("countersign-idp keys rotate --command-alg EdDSA", "with another algorithm from now on"),
        ],
        options: [overlap, algorithm]
    ) { call in
        let overlap = try call.duration("--overlap") ?? .seconds(86_400)
        let algorithm = call.option("--command-alg").flatMap(SignatureAlgorithm.init(rawValue:))
        return try await Device.run(call) { device in
            let made = try await device.rotateIdentityProvider(overlap: overlap, algorithm: algorithm)
            call.output.result(made.json, text: made.text(of: "countersign-idp", "keys revoke"))
            return .done
        }
    }

    /// Takes a replaced key of the identity provider app away before its end.
    static let keysRevoke = CommandLineInterface.Command(
        "keys revoke", "take a replaced key away before its end, and end what it began",
        examples: [.init("countersign-idp keys revoke KID", "the kid as keys list shows it")],
        positionals: [Positional("KID", "the key's thumbprint")]
    ) { call in
        let key = try KeyThumbprint(try call.argument("KID"))
        return try await Device.run(call) { device in
            try await device.revokeIdentityProviderKey(key)
            call.output.result(["revoked": .string(key.value)], text: "Revoked \(key).")
            return .done
        }
    }

    /// Replaces the keys of a client app.
    static let appsRotate = CommandLineInterface.Command(
        "apps rotate", "give an app new keys for commands and for receiving, and for OAuth if wanted",
        details: """
            The present ones count for the overlap. An app that keeps its keys itself names the public halves of its new \
            ones with --jwks. Tokens are bound to the OAuth key that they were got with and cannot be moved: where it is \
            replaced, by --oauth or by another one in the set, the logins of before last until the overlap ends, and the \
            person is asked again at the next one.
            """,
        examples: [
            .init("countersign-idp apps rotate com.example.notes", "the present keys count for another day"),
            .init("countersign-idp apps rotate com.example.notes --overlap 0s", "at once"),
            .init(
                "countersign-idp apps rotate com.example.notes --oauth --overlap 168h",
                "the OAuth key too; the logins of before last another week"),
            .init("countersign-idp apps rotate com.example.notes --jwks @keys.json", "an app that keeps its own keys"),
        ],
        positionals: [Positional("ID", "the app's id")],
        options: [
            overlap, algorithm,
            Option("--oauth", "another OAuth key as well, for an app whose keys were made here"),
        ] + .ownKeys
    ) { call in
        let id = try AppID(try call.argument("ID"))
        let overlap = try call.duration("--overlap") ?? .seconds(86_400)
        let source = try KeySource(of: id, call)
        let replacesOAuth = call.flag("--oauth")
        if replacesOAuth, case .own = source {
            throw call.invalid("--oauth", "the set in --jwks says which OAuth key the app has")
        }
        return try await Device.run(call) { device in
            let made = try await device.rotate(
                id, overlap: overlap, source: source, replacesOAuth: replacesOAuth)
            call.output.result(made.json, text: made.text(of: id.text, "apps revoke-key \(id)"))
            return .done
        }
    }

    /// Takes a replaced key of a client app away before its end.
    static let appsRevokeKey = CommandLineInterface.Command(
        "apps revoke-key", "take a replaced key of an app away before its end, and end the logins it began",
        examples: [.init("countersign-idp apps revoke-key com.example.notes KID", "the kid as apps show has it")],
        positionals: [Positional("ID", "the app's id"), Positional("KID", "the key's thumbprint")]
    ) { call in
        let id = try AppID(try call.argument("ID"))
        let key = try KeyThumbprint(try call.argument("KID"))
        return try await Device.run(call) { device in
            try await device.revoke(key, of: id)
            call.output.result(["revoked": .string(key.value)], text: "Revoked \(key) of \(id).")
            return .done
        }
    }
}

extension KeySource {
    /// Where new keys of an app come from, as `--jwks`, `--csr` and `--command-alg` say; `nil` where none stands.
    init?(of id: AppID, _ call: Invocation) throws {
        let algorithm = call.option("--command-alg").flatMap(SignatureAlgorithm.init(rawValue:))
        let request = try call.readText("--csr")
        guard let text = try call.readText("--jwks") else {
            guard request == nil else {
                throw call.invalid("--csr", "the request is for the command key of a set, which --jwks names")
            }
            guard let algorithm else { return nil }
            self = .made(algorithm)
            return
        }
        guard algorithm == nil else { throw call.invalid("--command-alg", "the alg of the key in --jwks says it") }
        let keys: JSONValue
        do throws(Fault) {
            keys = try JSONValue(parsing: text)
        } catch {
            throw call.invalid("--jwks", "that is no JSON; a file is named with @, as @keys.json")
        }
        let own = try AppPublicKeys(jwks: keys)
        if let request { try CertificateRequest(pem: request).require(id, commandKey: own.command) }
        self = .own(own)
    }
}

extension [Option] {
    /// The keys of an app that keeps them itself.
    static let ownKeys: [Option] = [
        Option("--jwks", "JWKS", values: .file, "the app's own public keys: @FILE, or - for standard input"),
        Option(
            "--csr", "REQUEST", values: .file,
            "the app's own certificate request for its command key (PKCS #10, PEM), with --jwks: @FILE, or -"),
    ]
}

extension Device.Rotation {
    var json: [String: JSONValue] {
        [
            "command": .string(keys.command.thumbprint.value), "encryption": .string(keys.encryption.thumbprint.value),
            "oauth": .string(keys.oauth.thumbprint.value),
            "formerOAuth": formerOAuth.map { .string($0.value) } ?? .null,
            "former": former.map { .string($0.value) } ?? .null, "until": ends.map { .string($0.description) } ?? .null,
        ]
    }

    func text(of name: String, _ revoke: String) -> String {
        var lines = [
            "New keys of \(name).", "  command     \(keys.command.thumbprint)",
            "  encryption  \(keys.encryption.thumbprint)",
        ]
        if let former {
            lines.append(
                ends.map {
                    "The former command key \(former) counts until \($0). End it sooner: countersign-idp \(revoke) \(former)"
                } ?? "The former command key \(former) counts no more.")
        }
        if let formerOAuth {
            lines.append("  oauth       \(keys.oauth.thumbprint)")
            lines.append(
                ends.map {
                    """
                    Logins that were made with the former OAuth key \(formerOAuth) last until \($0); tokens cannot be \
                    moved to another key. The next login of each person asks once more. End them sooner: \
                    countersign-idp \(revoke) \(formerOAuth)
                    """
                } ?? "The logins that were made with the former OAuth key \(formerOAuth) have ended.")
        }
        return lines.joined(separator: "\n")
    }
}
