package import Basics
package import Handoff
package import JOSE

extension CertificateRequest {
    /// Refuses a request that is for another app or another key than the one to be registered.
    ///
    /// What else it wishes for (an organisation, say) is left out of the certificate: every app's has the same profile.
    ///
    /// - Parameters:
    ///   - id: the app, which each name in the request must be: its common name, its
    ///     `urn:countersign:app:ID`, or both.
    ///   - commandKey: the key that the app's commands are to be checked with.
    /// - Throws: `request-for-other-name`, `request-for-other-key`.
    package func require(_ id: AppID, commandKey: JWK) throws(Fault) {
        let own = SubjectAlternativeName.app(id.text)
        // A common name has 64 characters at most (RFC 5280, ub-common-name), an id may have more.
        let isOwn = commonNames.allSatisfy { sameBytes($0, String(id.text.suffix(64))) }
        let namesOwn = subjectAlternativeNames.allSatisfy { $0 == own }
        guard isOwn, namesOwn, !commonNames.isEmpty || !subjectAlternativeNames.isEmpty else {
            let names = (commonNames + subjectAlternativeNames.map(\.text)).map { $0.shown() }
            throw Fault(
                .requestForOtherName,
                "The request names \(names.isEmpty ? "nobody" : names.joined(separator: ", ")), not \(id).",
                next: "Make it with the subject /CN=\(id), or register the app that it names.")
        }
        guard publicKey.thumbprint == commandKey.thumbprint else { throw Fault(.requestForOtherKey) }
    }
}
