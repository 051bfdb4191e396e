import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import OpenIDConnect
import Platform

/// Requests to the provider: discovery over plain sockets, codes and refreshes as the apps send them.
struct ProviderBench: Sendable {
    let home: String
    let isQuick: Bool
    private static let connections = 16

    func run() async throws -> [BenchRow] {
        let home = try Home.open(at: home, isDefault: false)
        var rows = [try discovery(port: home.port)]
        let parties = try await Parties(home: home)
        do {
            let (codes, tokens) = try await codes(parties)
            rows.append(codes)
            rows.append(try await refreshes(parties, tokens))
            await parties.close()
        } catch {
            await parties.close()
            throw error
        }
        return rows
    }

    private func discovery(port: UInt16) throws -> BenchRow {
        let request = LoadGenerator.discovery(port: port)
        _ = try LoadGenerator.run(port: port, request: request, connections: 8, count: 1_000)
        let start = ContinuousClock.now
        let latencies = try LoadGenerator.run(
            port: port, request: request, connections: 32, count: isQuick ? 1_000 : 200_000)
        return BenchRow(
            "discovery, one loop, 32 connections", latencies: latencies, within: ContinuousClock.now - start)
    }

    /// A code for the client by the broker, and its redemption: two durable requests each.
    private func codes(_ parties: Parties) async throws -> (BenchRow, [Secret<String>]) {
        let rounds = isQuick ? 1 : 40
        let start = ContinuousClock.now
        let results = try await withThrowingTaskGroup(of: ([Duration], Secret<String>).self) { group in
            for _ in 0..<Self.connections {
                group.addTask {
                    var latencies: [Duration] = []
                    var token = Secret("")
                    for _ in 0..<rounds {
                        let began = ContinuousClock.now
                        token = try await parties.codeAndTokens()
                        latencies.append(ContinuousClock.now - began)
                    }
                    return (latencies, token)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return (
            BenchRow(
                "code and its redemption, 16 connections", latencies: results.flatMap(\.0),
                within: ContinuousClock.now - start),
            results.map(\.1)
        )
    }

    private func refreshes(_ parties: Parties, _ tokens: [Secret<String>]) async throws -> BenchRow {
        let rounds = isQuick ? 1 : 300
        let start = ContinuousClock.now
        let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for token in tokens {
                group.addTask {
                    var latencies: [Duration] = []
                    var token = token
                    for _ in 0..<rounds {
                        let began = ContinuousClock.now
                        token = try await parties.refresh(token)
                        latencies.append(ContinuousClock.now - began)
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return BenchRow(
            "refresh, durable, 16 connections", latencies: latencies, within: ContinuousClock.now - start)
    }
}

/// The broker's and the client's connections to the provider, with the keys of the home.
private final class Parties: Sendable {
    private let environment: Environment
    private let broker: ProviderConnection
    private let client: ProviderConnection
    private let clientKeys: AppKeys
    private let brokerTokens: TokenSet
    private let manifest: AppManifest
    private let http: CurlHTTPClient
    private let stores: [FileSecretStore]
    private let records: SQLiteStore

    init(home: Home) async throws {
        environment = Environment.live(executor: nil)
        manifest = try home.manifest(of: AppEnrolment.firstClientID)
        let layout = home.layout
        let clientSecrets = try await FileSecretStore.open(
            directory: layout.secrets(of: AppEnrolment.firstClientID), environment: environment)
        let brokerSecrets = try await FileSecretStore.open(
            directory: layout.secrets(of: AppEnrolment.identityProviderID), environment: environment)
        stores = [clientSecrets, brokerSecrets]
        clientKeys = try await AppKeys.load(from: clientSecrets)
        let brokerKeys = try await AppKeys.load(from: brokerSecrets)
        http = try CurlHTTPClient(try home.clientConfiguration(variables: [:], authorityFile: nil))
        let journal = NoJournal()
        let issuer = try Issuer(home.issuer)
        broker = ProviderConnection(
            issuer: issuer, clientID: try ClientID(AppEnrolment.identityProviderID), key: brokerKeys.oauth,
            authentication: .assertion, http: http, environment: environment, journal: journal)
        client = ProviderConnection(
            issuer: issuer, clientID: try ClientID(AppEnrolment.firstClientID), key: clientKeys.oauth,
            authentication: .keyProofOnly, http: http, environment: environment, journal: journal)
        records = try home.openRecords()
        let store = ScopedRecordStore(records, owner: "broker")
        let accounts = AccountStore(sealer: RecordSealer(key: brokerKeys.atRest))
        let tokens = try store.read { snapshot in
            try accounts.current(in: snapshot).flatMap { try accounts.tokens(of: $0.key, in: snapshot) }
        }
        guard let tokens else { throw Fault(.benchFailed, "Nobody is signed in at the identity provider app.") }
        brokerTokens = tokens
    }

    func codeAndTokens() async throws -> Secret<String> {
        guard let redirect = manifest.redirectURIs.first, let idToken = brokerTokens.idToken,
            let device = brokerTokens.deviceSecret
        else { throw Fault(.benchFailed) }
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        let now = environment.now()
        let object = RequestObject(
            request: AuthorizationRequest(
                clientID: client.clientID, redirectURI: try RedirectURI(redirect),
                scope: try ScopeSet(manifest.scopes), state: try State("bench"), nonce: try Nonce("bench"),
                codeChallenge: verifier.challenge, dpopThumbprint: clientKeys.oauth.thumbprint),
            audience: client.issuer, id: environment.uuid(), issuedAt: now, expires: now + .seconds(60))
        let answer = try await broker.challenge(
            [
                ("request", try object.signed(by: clientKeys.oauth)), ("id_token_hint", idToken.unmasked),
                ("device_secret", device.unmasked),
            ], flow: nil)
        guard let code = answer["authorization_code"]?.stringValue else { throw Fault(.benchFailed) }
        let tokens = try await client.token(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                ("code_verifier", verifier.text.unmasked),
            ], flow: nil)
        guard let refresh = tokens.refreshToken else { throw Fault(.benchFailed) }
        return refresh
    }

    func refresh(_ token: Secret<String>) async throws -> Secret<String> {
        let answer = try await client.token(
            [("grant_type", "refresh_token"), ("refresh_token", token.unmasked)], flow: nil)
        return answer.refreshToken ?? token
    }

    func close() async {
        http.stop()
        for store in stores { await store.close() }
        await records.close()
    }
}

/// A journal that keeps nothing: the benchmark's own requests are no log of an app.
private struct NoJournal: Journal {
    func record(_ entry: JournalEntry) {}
}
