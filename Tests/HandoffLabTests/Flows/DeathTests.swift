import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDProvider
import Platform
import TestSupport
import Testing

@Suite struct `A death at a boundary` {
    @Test(.rule("T24", "A034", "A050", "A188"), arguments: try DeathPoint.all())
    func `leaves a login that completed once, or failed with a reason before one that works`(point: DeathPoint) throws {
        for seed in UInt64(1)...4 {
            let outcome = try DeathTable.simulated(point, seed: seed)
            #expect(outcome.breaches.isEmpty, "seed \(seed): \(outcome.words)")
        }
    }

    @Test func `has a place in the table for every boundary that a role lists, and for none that it does not`() throws {
        let passed = Set(try DeathPoint.all().map(\.boundary))
        #expect(passed == Set(DeathPoint.allBoundaries))
        #expect(DeathPoint.allBoundaries.count == passed.count)
        let lists = [Boundary.client, Boundary.clientLogout, Boundary.broker, Boundary.brokerLogout, Boundary.provider]
        #expect(passed == Set(lists.joined()))
    }

    @Test(
        .rule("T24", "A050", "A188"),
        arguments: [Boundary.clientRequestSent, .clientAnswerTaken, .clientCodeRedeemed, .clientAccountStored])
    func `of the client is taken up by its next process, once the request has left`(boundary: Boundary) throws {
        let point = DeathPoint(scenario: .clientInitiated, boundary: boundary)
        for seed in UInt64(1)...4 { #expect(try DeathTable.simulated(point, seed: seed) == .completed) }
    }

    @Test(arguments: [DeathScenario.clientInitiated, .idpInitiated, .keychain])
    func `of the provider between a redemption and its answer ends in one login, by the same request`(
        scenario: DeathScenario
    ) throws {
        let point = DeathPoint(scenario: scenario, boundary: .providerTokensCommitted)
        for seed in UInt64(1)...4 { #expect(try DeathTable.simulated(point, seed: seed) == .completed) }
    }

    @Test(.rule("A050")) func `of the client before the request left ends that login at its deadline`() throws {
        let point = DeathPoint(scenario: .clientInitiated, boundary: .clientFlowStored)
        #expect(try DeathTable.simulated(point, seed: 1) == .failed(code: "deadline-passed"))
    }

    @Test func `that nobody comes to is told as broken`() throws {
        let point = DeathPoint(scenario: .keychain, boundary: .clientFlowStored)
        #expect(!(try DeathTable.simulated(point, seed: 1).breaches.isEmpty))
        let unlisted = DeathPoint(scenario: .clientInitiated, boundary: Boundary("client.unlisted"))
        #expect(!(try DeathTable.simulated(unlisted, seed: 1).breaches.isEmpty))
    }

    @Test func `is judged by a ledger that sees a credential redeemed twice, and one that came again`() {
        let honest = TokenLedger(issued: 2, taken: ["a", "b"], reused: 0)
        #expect(honest.breaches.isEmpty)
        #expect(TokenLedger(issued: 2, taken: ["a"], reused: 0).breaches.count == 1)
        #expect(TokenLedger(issued: 1, taken: ["a"], reused: 1).breaches.count == 1)
        let later = TokenLedger(issued: 4, taken: ["a", "b", "c"], reused: 0)
        #expect(later.since(honest).breaches.count == 1)
    }
}
