import Basics
import Handoff
package import IdentityBroker

/// Who takes part in what is played on a stage: on each device one identity provider app, and its clients.
package struct Cast: Sendable {
    /// One app.
    package struct Member: Sendable {
        /// What scripts call it.
        package var name: String
        /// The device that it is on; apps of one device have one provider, one registry and one bus.
        package var device: String
        package var role: Role

        package init(_ name: String, on device: String = Cast.firstDevice, _ role: Role) {
            self.name = name
            self.device = device
            self.role = role
        }
    }

    package enum Role: Sendable {
        /// The identity provider app of a device, with the users that can sign in there.
        case identityProvider(users: [String])
        case client(AppEnrolment.Description)
    }

    /// The device of every member that names no other.
    package static let firstDevice = "home"

    package var members: [Member]

    package init(_ members: [Member]) { self.members = members }

    /// The devices, in the order in which members name them.
    package var devices: [String] {
        members.map(\.device).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    package func members(on device: String) -> [Member] { members.filter { $0.device == device } }

    package subscript(name: String) -> Member? { members.first { $0.name == name } }

    /// The member of that name.
    ///
    /// - Throws: `unknown-actor`.
    func member(_ name: String) throws -> Member {
        guard let member = self[name] else { throw Fault(.unknownActor, "Nobody here is called \(name).") }
        return member
    }

    /// Who takes part in what an order says.
    ///
    /// - Throws: `unknown-actor`, also where the one who meddles is no client, or the victim itself.
    func parties(of order: MeddlingOrder) throws -> (meddler: Member, victim: Member, receiver: Member) {
        let (meddler, victim) = (try member(order.name), try member(order.victim))
        guard meddler.isClient else { throw Fault(.unknownActor, "\(order.name) is no client.") }
        guard meddler.name != victim.name else {
            throw Fault(.unknownActor, "\(order.name) cannot meddle in a flow of its own.")
        }
        if let at = order.at { return (meddler, victim, try member(at)) }
        guard let receiver = identityProvider(of: victim.name) else {
            throw Fault(.unknownActor, "The device \(victim.device) has no identity provider app.")
        }
        return (meddler, victim, receiver)
    }

    /// What scripts call the app of that id on a member's device; its id where they do not name it.
    func name(ofApp id: String, besides name: String) -> String {
        self[name].flatMap { member in members(on: member.device).first { $0.appID == id }?.name } ?? id
    }

    /// The identity provider app of a member's device.
    package func identityProvider(of name: String) -> Member? {
        self[name].flatMap { member in members(on: member.device).first { $0.users != nil } }
    }
}

extension Cast.Member {
    /// The app's id.
    package var appID: String {
        switch role {
        case .identityProvider: AppEnrolment.identityProviderID
        case .client(let app): app.id.text
        }
    }

    /// The users of an identity provider app; `nil` for a client.
    package var users: [String]? { if case .identityProvider(let users) = role { users } else { nil } }

    /// What a client is registered as; `nil` for an identity provider app.
    package var description: AppEnrolment.Description? {
        if case .client(let app) = role { app } else { nil }
    }

    package var isClient: Bool { description != nil }
}
