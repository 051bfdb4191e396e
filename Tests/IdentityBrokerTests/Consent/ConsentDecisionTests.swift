import Basics
import Handoff
import Platform
import TestSupport
import Testing

@testable import IdentityBroker

@Suite struct `Whether a person is asked` {
    @Test(.rule("S24")) func `follows the client's rule for what came directly`() {
        #expect(ConsentDecision(rule: .firstUse, isRecorded: false, transport: .direct) == .ask)
        #expect(ConsentDecision(rule: .firstUse, isRecorded: true, transport: .direct) == .given)
        #expect(ConsentDecision(rule: .always, isRecorded: true, transport: .direct) == .ask)
        #expect(ConsentDecision(rule: .never, isRecorded: false, transport: .direct) == .given)
    }

    @Test func `is always yes for what came by an opener`() {
        for rule in AppRegistryEntry.ConsentRule.allCases {
            for isRecorded in [false, true] {
                #expect(ConsentDecision(rule: rule, isRecorded: isRecorded, transport: .opener) == .ask)
            }
        }
    }
}
