import Basics
import HandoffLab
import LinuxPlatform
import Platform
import Testing

/// What the doctor says of time: the same home, looked at under other clocks.
@Suite(.serialized) struct DoctorClockTests {
    private static let day = Duration.seconds(86_400)

    /// The findings of a section, each with its level before it, as if it were that time.
    private func findings(_ section: String, _ home: LabHome, at now: Timestamp) async throws -> [String] {
        let live = Environment.live()
        let environment = Environment(
            now: { now }, sleep: { try await live.sleep(for: $0) }, randomBytes: live.randomBytes,
            offload: { work in work() }, tasks: TaskScope())
        let doctor = await Doctor(
            Doctor.Patient(
                home: try Home.open(at: home.path, isDefault: false), environment: environment,
                variables: home.environment, issuer: nil))
        return doctor.sections.filter { $0.name == section }.flatMap(\.findings).map { finding in
            [finding.level.rawValue, finding.what, finding.next ?? ""].joined(separator: " ")
        }
    }

    private func withHome(_ body: (LabHome, Timestamp) async throws -> Void) async throws {
        try await withLabHome { home in
            try await home.idp("apps", "add", LabHome.clientID).expect(0)
            try await body(home, Environment.live().now())
        }
    }

    @Test func `an app's certificate is good, then a warning, then a problem that says how to certify the key anew`()
        async throws
    {
        try await withHome { home, now in
            let name = "The certificate of \(LabHome.clientID)"
            func said(after days: Int) async throws -> String? {
                try await findings("certificates", home, at: now + Self.day * days).first { $0.contains(name) }
            }
            #expect(try await said(after: 0)?.hasPrefix("ok \(name) is good until") == true)
            #expect(try await said(after: 729)?.hasPrefix("warning \(name) ends on") == true)
            let expired = try await said(after: 731)
            #expect(expired?.hasPrefix("problem \(name) ended on") == true, "\(expired ?? "nothing")")
            #expect(expired?.contains("countersign-idp apps add \(LabHome.clientID)") == true)
        }
    }

    @Test func `the authority's certificate outlives the apps', and its end is a problem`() async throws {
        try await withHome { home, now in
            func said(after days: Int) async throws -> String? {
                try await findings("certificates", home, at: now + Self.day * days)
                    .first { $0.contains("The authority's certificate") }
            }
            #expect(try await said(after: 731)?.hasPrefix("ok ") == true)
            #expect(try await said(after: 3_649)?.hasPrefix("warning ") == true)
            let expired = try await said(after: 3_651)
            #expect(expired?.hasPrefix("problem The authority's certificate ended on") == true)
            #expect(expired?.contains("--home DIR") == true)
        }
    }

    @Test func `a clock that was set back is a problem, and what was certified meanwhile is of the future`()
        async throws
    {
        try await withHome { home, now in
            #expect(try await findings("clock", home, at: now).allSatisfy { $0.hasPrefix("ok ") })
            let back = try await findings("clock", home, at: now - Self.day)
            #expect(back.contains { $0.hasPrefix("problem") && $0.contains("the home was made at") }, "\(back)")
            let certificates = try await findings("certificates", home, at: now - Self.day)
            #expect(certificates.allSatisfy { $0.hasPrefix("problem") && $0.contains("which is to come") })
            let ancient = try await findings("clock", home, at: Timestamp(seconds: 1_500_000_000))
            #expect(ancient.contains { $0.hasPrefix("problem") && $0.contains("before this program was made") })
        }
    }

    @Test func `a clock that differs from the provider's by more than a command lives is a problem`() async throws {
        try await withHome { home, _ in
            let serving = try await home.serve(.idp, prompt: "script:allow")
            func said(ahead: Duration) async throws -> [String] {
                try await findings("clock", home, at: Environment.live().now() + ahead)
            }
            #expect(try await said(ahead: .zero).allSatisfy { $0.hasPrefix("ok ") })
            let ahead = try await said(ahead: Self.day)
            #expect(ahead.contains { $0.hasPrefix("problem This clock and the provider's differ by") }, "\(ahead)")
            await serving.stopped().expect(143)
        }
    }
}
