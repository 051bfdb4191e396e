import Basics
import Handoff
import IdentityClient
import OpenIDConnect
import Platform

/// Classic clients: plain URLs, known by nothing but the bus name that they come from.
///
/// So everything that counts is the registry's, the person is asked each time, one request at a time is looked at, and a
/// request lives in this process alone. There is no refresh token and no group.
extension HandoffBroker {
    /// Handles a URL in the classic scheme.
    ///
    /// - Throws: why it has no effect; its sender is told nothing.
    func handleClassic(_ url: String, sender: PeerEvidence?) async throws {
        if let sender, await endpoint.isSilenced(sender) { return }
        let (request, entry, name): (ClassicLoginRequest, ClassicClientEntry, String)
        let flow = try FlowID(surroundings.environment.uuid())
        do {
            (entry, name) = try await classicClient(sender)
            let parsed = try ClassicURL(url, scheme: ClassicClientEntry.identityProviderScheme)
            // Only a request begins anything here; whatever else comes is unasked.
            guard parsed.name == .authrequest else { throw Fault(.classicUnasked) }
            request = try ClassicLoginRequest(parsed)
            try request.check(against: entry)
            guard !isClassicUnderWay else { throw Fault(.classicBusy) }
            isClassicUnderWay = true
        } catch {
            await endpoint.refused(error, sender: sender)
            throw error
        }
        journal(.received, flow, "authrequest from \(entry.id), classic: nothing of it is proved")
        surroundings.environment.spawn("classic") { [self] in await answerClassic(request, of: entry, at: name, flow) }
    }

    /// The classic client whose bus name the sender owns. There is no other way in, and none by an opener.
    private func classicClient(_ sender: PeerEvidence?) async throws -> (ClassicClientEntry, name: String) {
        guard let sender else { throw Fault(.classicSender) }
        if let own = surroundings.ownUserID, sender.userID != own { throw Fault(.foreignUser) }
        for entry in try surroundings.store.read({ try ClassicRegistry.list(in: $0) })
        where try await surroundings.bus.owner(of: entry.id.text) == sender.uniqueName {
            if let wanted = entry.executable, let executable = sender.executable, wanted != executable {
                throw Fault(.processMismatch)
            }
            return (entry, sender.uniqueName)
        }
        throw Fault(.classicSender)
    }

    private func answerClassic(
        _ request: ClassicLoginRequest, of entry: ClassicClientEntry, at name: String, _ flow: FlowID
    ) async {
        defer { isClassicUnderWay = false }
        let answer: ClassicAnswer
        do {
            answer = .code(try await classicCode(request, of: entry, flow))
        } catch is CancellationError {
            return
        } catch {
            let code = (error as? any CodedError)?.code ?? .internalFault
            journal(.decided, flow, "refused", code: code)
            answer = .refused(error is Cancellation ? .accessDenied : Self.reason(of: error))
        }
        do {
            // To the connection that asked, while it is still that app's.
            guard try await surroundings.bus.owner(of: entry.id.text) == name else { throw Fault(.peerNotRunning) }
            let url = answer.url(scheme: entry.scheme, state: request.state)
            try await surroundings.bus.open(url.unmasked, at: name, startIfNeeded: false)
            journal(.sent, flow, "\(answer.word) to \(entry.id), classic: unsigned")
        } catch {
            journal(.note, flow, "the answer could not be delivered", code: (error as? any CodedError)?.code)
        }
    }

    private func classicCode(
        _ request: ClassicLoginRequest, of entry: ClassicClientEntry, _ flow: FlowID
    ) async throws -> Secret<String> {
        let deadline = surroundings.environment.now() + LoginOptions.withPeople
        let asker = Question.Asker(
            name: entry.displayName, id: entry.id.text, keyFingerprint: "none: classic, unsigned", unverifiedName: nil)
        let account = try await withPrompt(about: entry.id, until: deadline) { [self] in
            var account = try await chooseAccount(hint: nil, asker: asker, deadline: deadline, flow: flow)
            while try await classicConsent(to: entry, account, asker, deadline) == .chooseAnother {
                account = try await chooseAmongAll(asker: asker, deadline: deadline, flow: flow)
            }
            return account
        }
        guard surroundings.environment.now() < deadline else { throw Fault(.deadlinePassed) }
        let machine = BrokerFlow(handing: entry.id, id: flow, command: endpoint.newID(), deadline: deadline)
        return try await code(
            for: account, to: entry.clientID, flow: machine, asker: asker, isAllowedNow: true, askAgain: {},
            obtain: { code, tokens in
                try await code.initiate(
                    for: entry.clientID, redirectURI: entry.redirectURI, scope: entry.scopes,
                    challenge: request.challenge, nonce: nil, tokens: tokens, flow: flow)
            })
    }

    /// Asks each time: what was allowed before says nothing about a request that anybody could have made.
    private func classicConsent(
        to entry: ClassicClientEntry, _ account: UserAccount, _ asker: Question.Asker, _ deadline: Timestamp
    ) async throws -> ConsentAnswer {
        let answer = try await surroundings.dialogue.ask(
            Question(
                .consent, title: "Let \(asker.name) use your account?", asker: asker,
                lines: [
                    "It asks by the old protocol: the request is unsigned, and nothing proves who made it.",
                    "As \(account.username), it would be able to:",
                ] + ScopeText.texts(entry.scopes.names).map { "· \($0)" },
                choices: [
                    .init("allow", "Allow this once"), .init("other", "Choose another account"),
                    .init("deny", "Do not allow"),
                ], deadline: deadline))
        switch answer.choice {
        case "allow": return .givenNow
        case "other": return .chooseAnother
        default: throw Fault(.accessDenied)
        }
    }
}

extension ClassicAnswer {
    /// What was sent, in a word, for the log.
    fileprivate var word: String {
        switch self {
        case .code: "authresponse"
        case .refused(let reason): "error \(reason.rawValue)"
        }
    }
}
