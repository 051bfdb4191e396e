package import Basics

extension ServerMetadata {
    /// Reads metadata that was fetched for that issuer.
    ///
    /// Endpoints of another issuer would take this one's codes, so the first check is that it is the one asked for (RFC
    /// 8414 §3.3, RFC 9700 §4.4).
    ///
    /// - Throws: `issuer-mismatch`; `invalid-metadata` for a missing member or one of the wrong form; `unsafe-endpoint`
    ///   for an endpoint that is neither https nor, where the issuer is http on this machine too, on this machine.
    package init(json: JSONValue, expecting issuer: Issuer) throws(Fault) {
        guard var members = json.objectValue else {
            throw Fault(.invalidMetadata, "The provider's metadata is not a JSON object (RFC 8414 §3.2).")
        }
        guard members.removeValue(forKey: "issuer") == .string(issuer.text) else { throw Fault(.issuerMismatch) }
        func endpoint(_ name: String) throws(Fault) -> String? {
            guard let value = members.removeValue(forKey: name) else { return nil }
            return try ServerMetadata.endpoint(value, name, of: issuer)
        }
        func required(_ name: String) throws(Fault) -> String {
            guard let endpoint = try endpoint(name) else {
                throw Fault(.invalidMetadata, "The provider's metadata has no \(name) (RFC 8414 §2).")
            }
            return endpoint
        }
        self.init(
            issuer: issuer,
            authorizationEndpoint: try required("authorization_endpoint"),
            tokenEndpoint: try required("token_endpoint"),
            jwksURI: try required("jwks_uri"),
            userinfoEndpoint: try endpoint("userinfo_endpoint"),
            revocationEndpoint: try endpoint("revocation_endpoint"),
            introspectionEndpoint: try endpoint("introspection_endpoint"),
            authorizationChallengeEndpoint: try endpoint("authorization_challenge_endpoint"),
            pushedAuthorizationRequestEndpoint: try endpoint("pushed_authorization_request_endpoint"),
            deviceAuthorizationEndpoint: try endpoint("device_authorization_endpoint"),
            endSessionEndpoint: try endpoint("end_session_endpoint"),
            logoutSessionsEndpoint: try endpoint("logout_sessions_endpoint"),
            registrationEndpoint: try endpoint("registration_endpoint"))
        if let value = members.removeValue(forKey: ServerMetadata.issuerInResponse) {
            guard let flag = value.boolValue else { throw ServerMetadata.malformed(ServerMetadata.issuerInResponse) }
            sendsIssuerInResponse = flag
        }
        for support in Support.allCases {
            guard let value = members.removeValue(forKey: support.rawValue) else { continue }
            let names = value.arrayValue?.compactMap(\.stringValue)
            guard let names, names.count == value.arrayValue?.count else {
                throw ServerMetadata.malformed(support.rawValue)
            }
            supported[support] = names
        }
        others = members
    }

    /// The document as a server publishes it; `init(json:expecting:)` gives the same metadata back.
    package var json: JSONValue {
        var members = others
        for (support, names) in supported { members[support.rawValue] = .array(names.map { .string($0) }) }
        let texts: [(String, String?)] = [
            ("issuer", issuer.text), ("authorization_endpoint", authorizationEndpoint),
            ("token_endpoint", tokenEndpoint), ("jwks_uri", jwksURI), ("userinfo_endpoint", userinfoEndpoint),
            ("revocation_endpoint", revocationEndpoint), ("introspection_endpoint", introspectionEndpoint),
            ("authorization_challenge_endpoint", authorizationChallengeEndpoint),
            ("pushed_authorization_request_endpoint", pushedAuthorizationRequestEndpoint),
            ("device_authorization_endpoint", deviceAuthorizationEndpoint),
            ("end_session_endpoint", endSessionEndpoint), ("logout_sessions_endpoint", logoutSessionsEndpoint),
            ("registration_endpoint", registrationEndpoint),
        ]
        for case (let name, let text?) in texts { members[name] = .string(text) }
        if sendsIssuerInResponse { members[ServerMetadata.issuerInResponse] = true }
        return .object(members)
    }

    private static let issuerInResponse = "authorization_response_iss_parameter_supported"

    private static func endpoint(_ value: JSONValue, _ name: String, of issuer: Issuer) throws(Fault) -> String {
        guard let text = value.stringValue, let url = AbsoluteURL(text), url.fragment == nil, !(url.host ?? "").isEmpty
        else { throw malformed(name) }
        // From an issuer elsewhere, an address on this machine would hand codes to whoever listens here.
        guard url.scheme == "https" || (url.isConfidential && issuer.isLoopback) else {
            throw Fault(.unsafeEndpoint, detail: name)
        }
        return text
    }

    private static func malformed(_ name: String) -> Fault {
        Fault(.invalidMetadata, "The metadata's \(name) does not have the form of RFC 8414 §2.")
    }
}
