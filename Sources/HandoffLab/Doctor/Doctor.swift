package import Basics
package import LinuxPlatform
package import Platform

/// Looks at a home and the machine around it. It changes nothing, and every line it prints was looked at.
package struct Doctor: Sendable {
    /// One part of the examination.
    package struct Section: Sendable {
        package let name: String
        package let findings: [Finding]
    }

    /// What is looked at.
    package struct Patient: Sendable {
        package let home: Home
        package let environment: Environment
        /// The environment variables of the process.
        package let variables: [String: String]
        /// Another provider than the home's own, to look at too.
        package let issuer: String?
        /// The enrolled apps whose manifests can be read.
        let manifests: [AppManifest]

        package init(home: Home, environment: Environment, variables: [String: String], issuer: String?) {
            self.home = home
            self.environment = environment
            self.variables = variables
            self.issuer = issuer
            manifests = ((try? home.apps()) ?? []).compactMap { try? home.manifest(of: $0) }
        }

        var now: Timestamp { environment.now() }
    }

    private static let examinations: [(name: String, look: @Sendable (Patient) async -> [Finding])] = [
        ("home", HomeExamination.look), ("stores", StoreExamination.look), ("keys", KeyExamination.look),
        ("certificates", CertificateExamination.look), ("bus", BusExamination.look),
        ("schemes", SchemeExamination.look), ("entries", EntryExamination.look), ("port", PortExamination.look),
        ("clock", ClockExamination.look), ("provider", ProviderExamination.look), ("defence", DefenceExamination.look),
    ]

    package let sections: [Section]

    /// Examines.
    package init(_ patient: Patient) async {
        var sections: [Section] = []
        for (name, look) in Doctor.examinations {
            let findings = await look(patient)
            if !findings.isEmpty { sections.append(Section(name: name, findings: findings)) }
        }
        self.sections = sections
    }

    /// How many findings of a level there are.
    package func count(_ level: Finding.Level) -> Int {
        sections.flatMap(\.findings).count { $0.level == level }
    }

    package var json: [String: JSONValue] {
        [
            "problems": .integer(Int64(count(.problem))), "warnings": .integer(Int64(count(.warning))),
            "sections": .array(
                sections.map { section in
                    ["section": .string(section.name), "findings": .array(section.findings.map(\.json))]
                }),
        ]
    }
}
