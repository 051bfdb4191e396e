import Basics
import Handoff
import IdentityClient
import TestSupport
import Testing

@testable import IdentityBroker

@Suite struct `The account that answers a request` {
    private let issuer = "http://localhost:8123"

    private func account(_ name: String, _ subject: String? = nil) -> UserAccount {
        UserAccount(
            issuer: issuer, subject: subject ?? "sub-\(name)", username: name, displayName: nil, email: nil, scopes: [],
            loggedInAt: Timestamp(seconds: 0))
    }

    private func choice(_ hint: UserHint?, _ signedIn: UserAccount...) -> AccountChoice {
        AccountChoice(hint: hint, signedIn: signedIn, issuer: issuer)
    }

    @Test func `without a hint is the only one, or the person says which`() {
        let (alice, bob) = (account("alice"), account("bob"))
        #expect(choice(nil) == .signIn(username: nil))
        #expect(choice(nil, alice) == .use(alice))
        #expect(choice(nil, alice, bob) == .ask([alice, bob]))
    }

    @Test(.rule("T52")) func `with a hint is the one that was meant, never the one that happens to be there`() {
        let (alice, bob) = (account("alice"), account("bob"))
        #expect(choice(.username("bob"), alice, bob) == .use(bob))
        #expect(choice(.username("bob"), alice) == .signIn(username: "bob"))
        #expect(choice(.account(issuer: issuer, subject: "sub-bob"), alice, bob) == .use(bob))
        #expect(choice(.account(issuer: issuer, subject: "sub-carol"), alice, bob) == .signIn(username: nil))
    }

    @Test(.rule("T30")) func `is nobody's by the same subject at another issuer`() {
        let alice = account("alice")
        #expect(
            choice(.account(issuer: "http://localhost:9", subject: alice.subject), alice) == .signIn(username: nil))
    }

    @Test func `is asked for where a name fits two accounts`() {
        let (one, other) = (account("alice", "s1"), account("alice", "s2"))
        #expect(choice(.username("alice"), one, other) == .ask([one, other]))
    }

    @Test func `leads to the same question for an unknown name and for one that is signed out`() {
        #expect(choice(.username("signed-out")) == .signIn(username: "signed-out"))
        #expect(choice(.username("unknown"), account("alice")) == .signIn(username: "unknown"))
    }
}
