import Basics
import JOSE
import LinuxPlatform
import Platform

/// The certificates and when they end.
enum CertificateExamination {
    /// How long before its end a certificate is worth a line.
    private static let soon = Duration.seconds(30 * 86_400)

    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let layout = patient.home.layout
        var findings = [
            finding(
                layout.authorityCertificate, "The authority's certificate", patient.now, isWanted: true,
                next: "Make another home: countersign-idp serve --home DIR")
        ]
        for app in patient.manifests where app.role == .client {
            findings.append(
                finding(
                    layout.app(app.id) + "/certificate.pem", "The certificate of \(app.id)", patient.now,
                    isWanted: false, next: "Certify its key anew: countersign-idp apps add \(app.id)"))
        }
        return findings.compactMap(\.self)
    }

    private static func finding(
        _ path: String, _ name: String, _ now: Timestamp, isWanted: Bool, next: String
    ) -> Finding? {
        guard let text = fileText(path) else {
            return isWanted
                ? Finding(.problem, "\(name) is missing: \(path)", next: "Restore the home from a copy.") : nil
        }
        do {
            let certificate = try Certificate(pem: text)
            let day = certificate.notAfter.description.prefix(10)
            if now > certificate.notAfter { return Finding(.problem, "\(name) ended on \(day).", next: next) }
            if now < certificate.notBefore {
                return Finding(
                    .problem, "\(name) begins on \(certificate.notBefore.description.prefix(10)), which is to come.",
                    why: "The clock was set back, or was ahead when it was made.", next: "Check the clock: date")
            }
            if certificate.notAfter - now < soon { return Finding(.warning, "\(name) ends on \(day).", next: next) }
            return Finding(.ok, "\(name) is good until \(day).")
        } catch {
            return Finding(.problem, name, because: error)
        }
    }
}
