import Handoff
import HandoffLab
import IdentityClient

extension StageConformance {
    static let absenceChecks: [Check] = [
        (
            name: "an app that runs acknowledges a logout; one that was stopped is told at its start",
            play: { stage in
                func signIn() async throws {
                    try await requireDone(stage.signIn("alice", at: "idp"), "the sign-in")
                }
                func row(acknowledged: Bool) -> [LogoutRow] {
                    [LogoutRow(app: "client", revoked: true, acknowledged: acknowledged)]
                }
                let logout = LogoutOrder(
                    of: "alice", at: "idp", scope: .device, timeout: patience)
                try await requireDone(stage.logIn(login("client", "alice")), "the login")
                try await requireDone(stage.logOut(logout), "the logout")
                try requireEqual(try await stage.lastLogoutReport(of: "idp"), row(acknowledged: true), "the report")
                try requireEqual(try await stage.users(of: "client").contains("alice"), false, "the account has gone")

                try await signIn()
                try await requireDone(stage.logIn(login("client", "alice")), "the next login")
                try await stage.stop("client")
                try await requireDone(stage.logOut(logout), "the logout of one that is away")
                try requireEqual(try await stage.lastLogoutReport(of: "idp"), row(acknowledged: false), "the report")
                try requireEqual(try await stage.users(of: "client").contains("alice"), true, "it knows of nothing")
                try await stage.start("client")
                try await stage.eventually(false, "alice's account") {
                    try await stage.users(of: "client").contains("alice")
                }
                try await signIn()
                try await requireDone(stage.logIn(login("client", "alice")), "the login afterwards")
            }
        ),
        (
            name: "an app that was stopped does nothing and takes nothing until it is started",
            play: { stage in
                try await requireDone(stage.logIn(login("other", "bob")), "the login")
                try await stage.stop("other")
                try await stage.stop("other")
                try requireEqual(try await stage.isAway("other"), true, "it is away")
                try await requireRefusal("actor-away", "a login") { try await stage.logIn(LoginOrder("other")) }
                try await requireRefusal("actor-away", "a token") { try await stage.useAccount("bob", of: "other") }
                try await requireRefusal("actor-away", "meddling") {
                    try await stage.meddle(MeddlingOrder("other", victim: "client"))
                }
                try await requireRefusal("peer-not-running", "a delivery") {
                    try await stage.deliver(DeliveryOrder(.authresponse, from: "idp", to: "other"))
                }
                try requireEqual(try await stage.users(of: "other"), ["bob"], "what it has")
                try await stage.start("other")
                try await stage.start("other")
                try requireEqual(try await stage.isAway("other"), false, "it is back")
                let refusals = try await stage.refusals(by: "other")
                try await stage.deliver(DeliveryOrder(.authresponse, from: "idp", to: "other"))
                try await stage.requireRefusals(["command-replayed"], by: "other", since: refusals)
                try await requireDone(stage.useAccount("bob", of: "other"), "the use of a token")
            }
        ),
        (
            name: "no login is to be had while the identity provider app is away",
            play: { stage in
                try await stage.stop("idp")
                let end = try await stage.logIn(login("client", "alice"))
                guard case .failed("peer-not-running", _) = end else {
                    throw ConformanceFailure(description: "the login without it: \(end)")
                }
                try await requireRefusal("actor-away", "a sign-in") { try await stage.signIn("alice", at: "idp") }
                try await stage.start("idp")
                try await requireDone(stage.logIn(login("client", "alice")), "the login with it")
            }
        ),
    ]
}
