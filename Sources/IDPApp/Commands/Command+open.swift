import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import IdentityClient
import Platform

extension CommandLineInterface.Command {
    /// Opens an app as a user: IDP-initiated.
    static let open = CommandLineInterface.Command(
        "open", "open an app as a user: the identity provider app begins the login",
        examples: [
            .init("countersign-idp open org.countersign.client", "as the current account"),
            .init("countersign-idp open org.countersign.client --user bob --keychain", "with the code going along"),
            .init("countersign-idp open org.countersign.client --print", "show a valid URL without sending it"),
        ],
        positionals: [Positional("APP", "the app's id")],
        options: [
            Option("--user", "USER", "the account, instead of the current one"),
            Option("--start-url", "URL", "what the app opens afterwards"),
            Option("--keychain", "send a code along; its verifier waits in the secret group"),
            Option("--print", "print the URL instead of sending it"),
        ]
    ) { call in
        let app = try AppID(try call.argument("APP"))
        return try await Device.run(call) { device in
            try await device.withBroker(call) { broker, _ in
                let account = try await broker.account(call.option("--user"))
                let usual = call.mayAsk ? LoginOptions.withPeople : LoginOptions.betweenPrograms
                let id = try broker.newFlow()
                let invitation: HandoffBroker.Invitation
                do {
                    invitation = try await broker.prepareInvitation(
                        to: app, account: account, flow: id, startURL: call.option("--start-url"),
                        usesKeychain: call.flag("--keychain"),
                        timeout: try call.duration("--timeout")
                            ?? (call.flag("--print") ? LoginOptions.withPeople : usual))
                } catch {
                    throw FlowFailure.named(providerFault(error), id.text)
                }
                let flow = JSONValue.string(invitation.flow.text)
                if call.flag("--print") {
                    call.output.result(["flow": flow, "url": .string(invitation.url)], text: invitation.url)
                    return .done
                }
                let outcome = try await FlowFailure.naming(id.text) { try await broker.send(invitation) }
                call.output.result(
                    ["flow": flow, "outcome": .string(outcome.rawValue), "account": account.json],
                    text: outcome == .switched
                        ? "\(app) is now used as \(account.username)." : "\(app) logged \(account.username) in.")
                return .done
            }
        }
    }
}
