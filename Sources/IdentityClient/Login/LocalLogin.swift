import Basics
import JOSE
import OpenIDConnect
import Platform

/// Local login: the provider's own pages in the system browser, with a loopback return (RFC 8252 §7.3).
struct LocalLogin: Sendable {
    var provider: ProviderConnection
    var surroundings: Surroundings
    var scope: ScopeSet
    var keyThumbprint: KeyThumbprint
    var appName: String
    var loginHint: String?
    /// The flow that the requests belong to.
    var flow: String

    /// Sends the person to the browser and returns the redemption that the return made possible.
    ///
    /// Where nothing can open the provider's page, or what could fails, `announce` is told its address; the login
    /// waits all the same.
    func run(until deadline: Timestamp, announce: @Sendable (ManualOpening) -> Void) async throws -> CodeRedemption {
        let environment = surroundings.environment
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        let state = try State(Base64URL.encode(environment.randomBytes(16)))
        let nonce = try Nonce(Base64URL.encode(environment.randomBytes(16)))
        let returned = LoopbackReturn(appName: appName)
        let port = try await surroundings.listener.listen(returned)
        do {
            let redirectURI = try RedirectURI("\(port.origin)/callback")
            let request = AuthorizationRequest(
                clientID: provider.clientID, redirectURI: redirectURI, scope: scope, state: state, nonce: nonce,
                codeChallenge: verifier.challenge, dpopThumbprint: keyThumbprint, loginHint: loginHint)
            let metadata = try await provider.metadata(flow: flow)
            let address = "\(metadata.authorizationEndpoint)?\(FormFields(request.fields).encoded)"
            var isOpened = surroundings.opener.isAvailable
            if isOpened { isOpened = (try? await surroundings.opener.open(address)) != nil }
            // What a manifest's opener has opened is not on this machine.
            if !isOpened || !surroundings.manifest.opener.isEmpty {
                announce(
                    ManualOpening(
                        address: isOpened ? nil : address, answerComesByHand: true,
                        patience: max(.zero, deadline - environment.now())))
            }
            let response = try await returned.response()
            try response.check(
                state: state, issuer: provider.issuer, issuerIsRequired: metadata.sendsIssuerInResponse)
            await port.close()
            switch response.outcome {
            case .refusal(let error): throw providerFault(error)
            case .code(let code):
                return CodeRedemption(
                    code: code, verifier: verifier, redirectURI: redirectURI, nonce: nonce, expectedSubject: nil,
                    requestedScope: scope, flow: flow)
            }
        } catch {
            await port.close()
            throw error
        }
    }
}
