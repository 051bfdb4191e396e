import Handoff
import HandoffLab

extension StageConformance {
    static let deliveryChecks: [Check] = [
        (
            name: "an answer that is delivered twice more is redeemed once",
            play: { stage in
                let start = try await stage.ledger(of: Cast.firstDevice)
                try await requireDone(stage.logIn(login("client", "alice")), "the login")
                _ = try await stage.settle()
                let (ledger, refusals) = (
                    try await stage.ledger(of: Cast.firstDevice), try await stage.refusals(by: "client")
                )
                let login = ledger.since(start)
                try requireEqual(login.taken.count, login.issued, "each credential of the login is taken once")
                try await stage.deliver(DeliveryOrder(.authresponse, from: "idp", to: "client", times: 2))
                try await stage.requireRefusals(
                    ["command-replayed", "command-replayed"], by: "client", since: refusals)
                try requireEqual(try await stage.ledger(of: Cast.firstDevice), ledger, "what the provider did since")
                try requireEqual(try await stage.users(of: "client").contains("alice"), true, "the account is there")
            }
        ),
        (
            name: "what was captured on one device is foreign to the apps of another",
            play: { stage in
                try await requireDone(stage.logIn(login("client", "alice")), "the login")
                _ = try await stage.settle()
                let (client, idp) = (
                    try await stage.refusals(by: "foreign-client"), try await stage.refusals(by: "foreign-idp")
                )
                try await stage.deliver(DeliveryOrder(.authresponse, from: "idp", to: "client", at: "foreign-client"))
                try await stage.requireRefusals(["undecryptable"], by: "foreign-client", since: client)
                try await stage.deliver(DeliveryOrder(.authack, from: "client", to: "idp", at: "foreign-idp"))
                try await stage.requireRefusals(["unknown-key"], by: "foreign-idp", since: idp)
                // The neighbour: what their own apps say is taken.
                try await requireDone(stage.logIn(login("foreign-client", "alice")), "the login elsewhere")
            }
        ),
        (
            name: "a command that nobody sent cannot be delivered, and the last one of its name is meant",
            play: { stage in
                for order in [
                    DeliveryOrder(.idpauthcodeinit, from: "foreign-idp", to: "foreign-client"),
                    DeliveryOrder(.authresponse, from: "client", to: "idp"),
                    DeliveryOrder(.authresponse, from: "idp", to: "foreign-client"),
                ] {
                    try await requireRefusal("nothing-captured", "\(order)") { try await stage.deliver(order) }
                }
                try await requireRefusal("unknown-actor", "a stranger") {
                    try await stage.deliver(DeliveryOrder(.authresponse, from: "idp", to: "nobody"))
                }
                try await requireDone(stage.logIn(login("foreign-client", "alice")), "the login")
                let refusals = try await stage.refusals(by: "foreign-client")
                try await stage.deliver(DeliveryOrder(.authresponse, from: "foreign-idp", to: "foreign-client"))
                try await stage.requireRefusals(["command-replayed"], by: "foreign-client", since: refusals)
            }
        ),
    ]
}
