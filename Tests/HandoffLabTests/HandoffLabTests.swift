import Basics
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import Testing

@Suite struct WholeLogins {
    @Test func `a login that the client begins ends in an account`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let (account, info) = try await client.role.login(LoginOptions(via: .identityProvider(nil)))
            #expect(account.username == "alice")
            #expect(info.authType == .idp)
            #expect(try await client.role.accounts.current() == account)
            await client.stop()
            await broker.stop()
        }
    }
}
