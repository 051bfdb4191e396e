import Basics
import OpenIDConnect
package import Platform
import Synchronization

/// The authorization server of a home: an HTTP handler over records, keys and an environment.
package final class AuthorizationServer: HTTPHandler {
    private let context: ProviderContext
    private let routes: [String: Route]
    private let lastPurge: Mutex<Timestamp>

    /// Makes the server.
    ///
    /// - Parameters:
    ///   - store: the provider's own view of the home's store (`ScopedRecordStore(…, owner: "provider")`).
    ///   - journal: where decisions and refusals are written, without secrets.
    ///   - boundary: what happens where a transition has just been persisted.
    package init(
        configuration: ProviderConfiguration, keys: ProviderKeys, store: any RecordStore, environment: Environment,
        journal: any Journal, boundary: @escaping BoundaryHook = { _ in }
    ) {
        let context = ProviderContext(
            configuration: configuration, keys: keys, store: store, environment: environment,
            journal: RequestJournal(journal: journal), boundary: boundary)
        self.context = context
        routes = Dictionary(uniqueKeysWithValues: Route.all(context).map { ($0.endpoint.path, $0) })
        lastPurge = Mutex(context.now)
    }

    /// Answers one request.
    ///
    /// Whatever goes wrong inside becomes an answer.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        purgeNowAndThen()
        guard let route = routes[request.path] else { return notFound(request) }
        guard route.methods.contains(request.method) else { return notAllowed(request, route) }
        guard let trace = TraceContext(request.headers.single("traceparent")) else {
            return await answer(request, route)
        }
        return await RequestJournal.$trace.withValue(trace) {
            let response = await answer(request, route)
            context.journal.answered(request, at: route.endpoint, with: response.status)
            return response
        }
    }

    private func answer(_ request: HTTPRequest, _ route: Route) async -> HTTPResponse {
        do {
            return try await route.respond(request)
        } catch {
            return render(AuthorizationServer.refusal(for: error), for: route.reader, at: route.endpoint)
        }
    }

    /// Removes what has expired.
    ///
    /// Runs by itself every ten minutes of use.
    package func purgeExpired() async throws {
        let now = context.now
        try await context.store.write(.normal) { transaction in
            for kind in ProviderTables.expiring { try transaction.purge(kind, expiredBefore: now) }
            // What is forgotten here must stay refused, so the newest of it is remembered (`SingleUseMark`).
            if let latest = try transaction.purge(ProviderTables.marks.kind, expiredBefore: now) {
                let before = try ProviderTables.watermark.find("latest", in: transaction)
                try ProviderTables.watermark.put("latest", max(latest, before ?? latest), in: transaction)
            }
        }
    }

    private func purgeNowAndThen() {
        let now = context.now
        let isDue = lastPurge.withLock { last in
            guard now - last > .seconds(600) else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        context.environment.spawn("purge expired records") { try await self.purgeExpired() }
    }
}

extension AuthorizationServer {
    /// The one place where refusals are written: JSON for programs, a page for people.
    private func render(_ refusal: Refusal, for reader: Route.Reader, at endpoint: Endpoint) -> HTTPResponse {
        context.journal.record(refusal.entry(at: endpoint))
        switch reader {
        case .program: return Responses.refusal(refusal)
        case .person: return RefusalPage.response(refusal, context)
        }
    }

    /// What an error means to whoever asked.
    ///
    /// What is not a refusal is ours, and says nothing about us.
    private static func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: refusal
        case let error as OAuthError: Refusal(error)
        case let fault as Fault where fault.code.kind == .environment:
            Refusal(
                .temporarilyUnavailable, "The provider cannot reach its records now. Try again.",
                detail: fault.code.name)
        case is CancellationError: Refusal(.temporarilyUnavailable, "The provider is stopping. Try again.")
        default:
            Refusal(
                .serverError, "The provider met a fault of its own. Look in its log.",
                detail: (error as? Fault).map { "\($0.code): \($0.detail ?? "")" } ?? "\(type(of: error))")
        }
    }

    private func notFound(_ request: HTTPRequest) -> HTTPResponse {
        var refusal = Refusal(.invalidRequest, "There is nothing at this address. The metadata lists all addresses.")
        refusal.status = 404
        return answer(refusal, to: request)
    }

    private func notAllowed(_ request: HTTPRequest, _ route: Route) -> HTTPResponse {
        let allowed = route.methods.joined(separator: ", ")
        var refusal = Refusal(.invalidRequest, "This method is not taken at this address. Use \(allowed).")
        refusal.status = 405
        var response = answer(refusal, to: request)
        response.headers.set("Allow", allowed)
        return response
    }

    private func answer(_ refusal: Refusal, to request: HTTPRequest) -> HTTPResponse {
        let wantsPage = request.headers.values("Accept").contains { $0.lowercased().contains("text/html") }
        return wantsPage ? RefusalPage.response(refusal, context) : Responses.refusal(refusal)
    }
}
