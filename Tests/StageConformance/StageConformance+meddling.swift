import Handoff
import HandoffLab
import Platform

extension StageConformance {
    static let meddlingChecks: [Check] = [
        (
            name: "another client's commands in a login are uncorrelated, and the login completes",
            play: { stage in
                let asked = try await stage.questions(at: "idp").count
                try await stage.hold("idp")
                let waiting = stage.environment.spawn("login") {
                    try await stage.logIn(login("client", "bob"))
                }
                try await stage.eventually(asked + 1, "the questions") { try await stage.questions(at: "idp").count }
                let refusals = try await stage.refusals(by: "idp")
                try await stage.meddle(MeddlingOrder("other", victim: "client"))
                try await stage.requireRefusals(
                    Array(repeating: "command-uncorrelated", count: Meddling.commands.count), by: "idp",
                    since: refusals)
                try requireEqual(try await stage.flows(of: "client").count { $0.end == nil }, 1, "the login is waiting")
                try await stage.release("idp")
                try requireDone(try await waiting.value, "the login")
                try requireEqual(try await stage.users(of: "client").contains("bob"), true, "bob's account is there")
            }
        ),
        (
            name: "a client that means another client is unknown to it, and one of another device to the app here",
            play: { stage in
                try await requireDone(stage.logIn(login("client", "alice")), "the login")
                let (client, idp) = (try await stage.refusals(by: "client"), try await stage.refusals(by: "idp"))
                try await stage.meddle(MeddlingOrder("other", victim: "client", commands: [.cancel], at: "client"))
                try await stage.requireRefusals(["unknown-sender"], by: "client", since: client)
                try await stage.meddle(MeddlingOrder("foreign-client", victim: "client", commands: [.cancel]))
                try await stage.requireRefusals(["unknown-key"], by: "idp", since: idp)
            }
        ),
        (
            name: "nobody meddles in a flow of its own, in none at all, or with a command that carries a request",
            play: { stage in
                try await requireDone(stage.logIn(login("client", "alice")), "the login")
                try await requireRefusal("unknown-actor", "its own flow") {
                    try await stage.meddle(MeddlingOrder("client", victim: "client"))
                }
                try await requireRefusal("unknown-actor", "an identity provider app") {
                    try await stage.meddle(MeddlingOrder("idp", victim: "client"))
                }
                try await requireRefusal("nothing-captured", "a victim without flows") {
                    try await stage.meddle(MeddlingOrder("client", victim: "idle"))
                }
                try await requireRefusal("meddling-command", "a request") {
                    try await stage.meddle(MeddlingOrder("other", victim: "client", commands: [.authrequest]))
                }
                try await stage.meddle(MeddlingOrder("other", victim: "client"))
            }
        ),
    ]
}
