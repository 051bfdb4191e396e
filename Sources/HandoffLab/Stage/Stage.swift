package import Basics
package import Platform

/// Where hand-offs are played: in the simulation, or with real processes. Scripts and the kill table know no more of
/// either than this.
///
/// Members are named as the cast names them; a name that it lacks is a fault of the caller, refused as `unknown-actor`.
package protocol Stage: Sendable {
    var kind: StageKind { get }
    var cast: Cast { get }
    var environment: Environment { get }

    /// Makes the devices and starts every app.
    func begin() async throws
    /// Ends everything that runs, and removes what was made.
    func end() async

    // MARK: What apps and people do

    /// How the person at an app answers from now on.
    func seat(_ person: Person, at name: String) async throws
    /// Lets every question at an app wait until `release`.
    func hold(_ name: String) async throws
    /// Lets the questions at an app be answered again.
    func release(_ name: String) async throws
    /// The kinds of the questions that the person at an app was asked, so far.
    func questions(at name: String) async throws -> [String]

    /// Signs a user in at the identity provider app itself.
    func signIn(_ user: String, at name: String) async throws -> ActionEnd
    /// Runs one login that a client begins.
    func logIn(_ order: LoginOrder) async throws -> ActionEnd
    /// Runs one login that the identity provider app begins.
    func invite(_ order: InvitationOrder) async throws -> ActionEnd
    /// Logs a user out: at a client, or at the identity provider app.
    func logOut(_ order: LogoutOrder) async throws -> ActionEnd
    /// Uses a user's token at the provider.
    func useAccount(_ user: String, of name: String) async throws -> ActionEnd

    // MARK: Deaths

    /// Arms a death: the process that comes to the boundary next is killed there, and started again.
    func arm(_ death: Death) async throws
    /// Waits until somebody has died and runs again, or takes the death back; says whether it came to pass.
    ///
    /// - Parameter patience: how long the process may take to come to its boundary, where it may come at all.
    func disarm(within patience: Duration) async throws -> Bool
    /// Ends an app in order and starts it again.
    func restart(_ name: String) async throws

    // MARK: Interference

    /// Ends an app in order; it stays away until `start`. What an app that is away is asked to do is refused as
    /// `actor-away`; what it has can be seen all the same.
    func stop(_ name: String) async throws
    /// Starts an app that was stopped; nothing where it runs.
    func start(_ name: String) async throws
    /// Whether an app was stopped, and not started since.
    func isAway(_ name: String) async throws -> Bool
    /// Delivers a command once more that was captured on the bus of a device. What the receiver makes of it, its
    /// refusals tell.
    ///
    /// - Throws: `nothing-captured` where no such command has been sent, `peer-not-running` where nobody takes it.
    func deliver(_ order: DeliveryOrder) async throws
    /// Has a registered client send, with its own good keys, commands about a flow that is not its own. What the
    /// receiver makes of them, its refusals tell.
    ///
    /// - Throws: `nothing-captured` where the victim has no flow, `meddling-command` for a command that is none of
    ///   those, `peer-not-running` where nobody takes it.
    func meddle(_ order: MeddlingOrder) async throws

    // MARK: What can be seen

    /// The accounts of a client.
    func accounts(of name: String) async throws -> [HeldAccount]
    /// The flows of an app, those that have ended included, sorted by id.
    func flows(of name: String) async throws -> [FlowState]
    /// The codes with which an app has refused commands, so far.
    func refusals(by name: String) async throws -> [String]
    /// What came, app by app, of the last logout that an identity provider app carried out for its person; nothing where
    /// there was none.
    func lastLogoutReport(of name: String) async throws -> [LogoutRow]
    /// What a device's provider has issued and taken, so far.
    func ledger(of device: String) async throws -> TokenLedger
    /// The passwords of all users, by name: for whoever looks whether one stands where it must not.
    func passwords() async -> [String: Secret<String>]
    /// What the apps have written, in order: for people who look for the reason of a failure.
    func transcript() async -> String
}

/// The two kinds of stage.
package enum StageKind: String, Sendable, CaseIterable {
    /// All parties in this process, on a virtual clock, in an order that follows from a seed.
    case simulated
    /// The product's programs, a private bus, a folder of its own.
    case real
}

/// How the person at an app answers.
package struct Person: Sendable, Equatable {
    /// Who it is; the name is typed, and picked where accounts are listed.
    package var user: String
    /// The ids or titles of choices; for each question the first that it has is taken. `cancel` gives up.
    package var choices: [String]

    package init(_ user: String, choices: [String] = Person.willing) {
        self.user = user
        self.choices = choices
    }

    /// Says yes to everything.
    package static let willing = ["allow", "sign-in", "switch", "idp"]
}
