package import Basics
import FoundationEssentials
import Handoff
package import IdentityBroker
package import JOSE
package import OpenIDProvider
package import Platform

/// What a world is to hold.
package struct WorldPlan: Sendable {
    /// A person who can sign in at the provider.
    package struct User: Sendable {
        package var name: String
        package var password: Secret<String>
        package var claims: [String: JSONValue]

        package init(_ name: String, password: Secret<String>, claims: [String: JSONValue] = [:]) {
            self.name = name
            self.password = password
            self.claims = claims
        }
    }

    /// The port of the issuer `http://localhost:PORT`.
    package var port: Int
    package var users: [User]
    package var apps: [AppEnrolment.Description]
    /// What the commands of an app are signed with, by app id; ES256 where nothing else is said.
    package var commandAlgorithms: [String: SignatureAlgorithm] = [:]
    /// Changes the provider's configuration before it starts.
    package var configureProvider: @Sendable (inout ProviderConfiguration) -> Void
    /// What happens where the provider has just persisted a transition.
    package var providerBoundary: BoundaryHook

    package init(
        port: Int = 8_123, users: [User] = WorldPlan.usualUsers, apps: [AppEnrolment.Description],
        configureProvider: @escaping @Sendable (inout ProviderConfiguration) -> Void = { _ in },
        providerBoundary: @escaping BoundaryHook = { _ in }
    ) {
        self.port = port
        self.users = users
        self.apps = apps
        self.configureProvider = configureProvider
        self.providerBoundary = providerBoundary
    }

    /// One client and two users.
    package static func usual() throws -> WorldPlan { try WorldPlan(apps: [app(AppEnrolment.firstClientID)]) }

    /// An app with the usual details, changed as the caller likes.
    package static func app(_ id: String, _ change: (inout AppEnrolment.Description) -> Void = { _ in }) throws
        -> AppEnrolment.Description
    {
        var details = try AppEnrolment.Description(id: try AppID(id))
        change(&details)
        return details
    }

    /// alice and bob; each has her or his name with `-secret` for a password.
    package static let usualUsers = ["alice", "bob"].map { name in
        User(
            name, password: Secret("\(name)-secret"),
            claims: [
                "name": .string(name.capitalized), "email": .string("\(name)@example.com"), "email_verified": true,
            ])
    }
}
