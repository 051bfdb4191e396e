package import Handoff
package import IdentityClient
package import Platform

/// A login that a client begins.
package struct LoginOrder: Sendable {
    package var client: String
    /// Whom the client means.
    package var hint: String?
    package var timeout: Duration

    package init(_ client: String, hint: String? = nil, timeout: Duration = .seconds(10)) {
        self.client = client
        self.hint = hint
        self.timeout = timeout
    }
}

/// A login that an identity provider app begins.
package struct InvitationOrder: Sendable {
    package var identityProvider: String
    package var client: String
    /// Who is to be logged in; one who is signed in there.
    package var user: String
    /// Whether the code goes along.
    package var usesKeychain: Bool
    package var startURL: String?
    package var timeout: Duration

    package init(
        _ identityProvider: String, to client: String, as user: String, usesKeychain: Bool = false,
        startURL: String? = nil, timeout: Duration = .seconds(10)
    ) {
        self.identityProvider = identityProvider
        self.client = client
        self.user = user
        self.usesKeychain = usesKeychain
        self.startURL = startURL
        self.timeout = timeout
    }
}

/// A logout that a client or the identity provider app begins.
package struct LogoutOrder: Sendable {
    package var name: String
    package var user: String
    package var scope: LogoutScope
    package var timeout: Duration

    package init(
        of user: String, at name: String, scope: LogoutScope = .app, timeout: Duration = .seconds(10)
    ) {
        self.name = name
        self.user = user
        self.scope = scope
        self.timeout = timeout
    }
}

/// That an app is to be killed at a boundary.
package struct Death: Sendable {
    package var name: String
    package var boundary: Boundary
    /// How long it stays away.
    package var restartAfter: Duration

    package init(of name: String, at boundary: Boundary, restartAfter: Duration = .zero) {
        self.name = name
        self.boundary = boundary
        self.restartAfter = restartAfter
    }
}

/// A captured command that is delivered again.
package struct DeliveryOrder: Sendable {
    /// Which command; the last that was captured is meant.
    package var command: CommandName
    /// Who sent it, and on whose bus it was captured.
    package var from: String
    /// To whom it was sent.
    package var to: String
    /// To whom it is delivered now; may be on another device.
    package var at: String
    /// How often. Each time it has a sender of its own, so that nobody is dropped unread for what failed before.
    package var times: Int

    package init(_ command: CommandName, from: String, to: String, at: String? = nil, times: Int = 1) {
        self.command = command
        self.from = from
        self.to = to
        self.at = at ?? to
        self.times = times
    }
}

/// What a client does to a flow of another.
package struct MeddlingOrder: Sendable {
    /// The client that misbehaves.
    package var name: String
    /// Whose newest flow is meant; one under way goes before those that have ended.
    package var victim: String
    /// What it sends, in order; each with a sender of its own.
    package var commands: [CommandName]
    /// To whom they are sent; `nil`: the identity provider app of the victim's device.
    package var at: String?

    package init(
        _ name: String, victim: String, commands: [CommandName] = Meddling.commands, at: String? = nil
    ) {
        self.name = name
        self.victim = victim
        self.commands = commands
        self.at = at
    }
}
