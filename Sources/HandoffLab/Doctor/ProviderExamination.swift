import Basics
import LinuxPlatform
import OpenIDConnect
import Platform

/// What a provider can do for hand-offs: another one that `--issuer` names, or the home's own while it serves.
enum ProviderExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let issuer = patient.issuer ?? patient.home.issuer
        switch await ProviderCall.metadata(of: issuer, patient) {
        case .failure(let error):
            // That nobody serves the home's own is the port's line.
            return patient.issuer == nil ? [] : [Finding(.problem, "\(issuer) cannot be reached", because: error)]
        case .success(let response):
            guard response.status == 200 else {
                return [
                    Finding(
                        .problem, "\(issuer) answered \(response.status) for its metadata.",
                        why: "Every login begins with .well-known/openid-configuration.",
                        next: "Compare the issuer with what the provider calls itself.")
                ]
            }
            return judge(response.body, of: issuer)
        }
    }

    private static func judge(_ body: [UInt8], of issuer: String) -> [Finding] {
        let metadata: ServerMetadata
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body, limits: .init(bytes: 1 << 20, depth: 16))
            metadata = try ServerMetadata(json: json, expecting: try Issuer(issuer))
        } catch {
            return [Finding(.problem, "The metadata of \(issuer)", because: error)]
        }
        func names(_ member: String) -> [String] { (json[member]?.arrayValue ?? []).compactMap(\.stringValue) }
        var findings = [Finding(.ok, "\(issuer) describes itself, and as itself.")]
        if !names("code_challenge_methods_supported").contains("S256") {
            findings.append(
                Finding(
                    .problem, "It does not say that it takes S256 challenges.",
                    why: "A code without one can be redeemed by whoever catches it."))
        }
        let isBound =
            !names("dpop_signing_alg_values_supported").isEmpty
            || names("token_endpoint_auth_methods_supported").contains("private_key_jwt")
        findings.append(
            isBound
                ? Finding(.ok, "Its codes can be bound to a client's key.")
                : Finding(
                    .warning, "It has neither DPoP nor private_key_jwt: its codes and tokens are bearer ones.",
                    why: "Whoever gets one can use it."))
        findings.append(
            metadata.authorizationChallengeEndpoint != nil
                ? Finding(.ok, "A broker can ask it for another client's code.")
                : Finding(
                    .note, "It has no authorization challenge endpoint.",
                    why: "The identity provider app answers cannot_broker; clients log in locally there."))
        if metadata.revocationEndpoint == nil {
            findings.append(
                Finding(.note, "It has no revocation endpoint.", why: "Tokens of who logs out live until they end."))
        }
        return findings
    }
}
