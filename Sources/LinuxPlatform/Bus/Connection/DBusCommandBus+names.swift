import Basics
import CSystemd
package import Platform

extension DBusCommandBus {
    package func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration {
        guard BusName.isValid(name), !BusName.isUnique(name) else {
            throw Fault(.busMessageRefused, "No app can have this name on the bus: \(name)")
        }
        guard let uniqueName else { throw Fault(.busUnavailable) }
        // The object is there before the name: who finds the name finds the object.
        try export(name, receive: receive)
        do {
            let doNotQueue: UInt32 = 4
            let answer = try await call(
                .daemon("RequestName", [.string(name), .number(doNotQueue)], timeout: limits.daemonTimeout)
            ) { $0.readNumber() }
            let primaryOwner: UInt32 = 1
            guard answer == primaryOwner else { throw Fault(.busNameTaken, detail: name) }
        } catch {
            applications[name] = nil
            throw error
        }
        return DBusRegistration(bus: self, name: name, uniqueName: uniqueName)
    }

    /// Puts the app's object on the connection.
    func export(_ name: String, receive: @escaping @Sendable (Delivery) async -> Void) throws(Fault) {
        guard let connection else { throw Fault(.busUnavailable) }
        guard applications[name] == nil else { throw Fault(.busNameTaken, detail: name) }
        let application = ExportedApplication(name: name, owner: self, receive: receive)
        let status = sd_bus_add_object(
            connection, &application.slot, ApplicationInterface.path(of: name), ExportedApplication.callback,
            Unmanaged.passUnretained(application).toOpaque())
        guard status >= 0 else { throw BusFault.fault(status, "sd_bus_add_object") }
        applications[name] = application
    }

    /// Gives a name back; calls of it are answered as those of an unknown object from now on.
    func withdraw(_ name: String) async {
        guard applications.removeValue(forKey: name) != nil else { return }
        _ = try? await call(.daemon("ReleaseName", [.string(name)], timeout: limits.daemonTimeout)) {
            $0.readNumber()
        }
    }

    /// Hands on what arrived, each in a task of its own. Beyond the inbox, and beyond one sender's part of it, it is
    /// dropped in silence.
    func deliver(_ contents: [Delivery.Content], from sender: String, to name: String) {
        guard let application = applications[name], !contents.isEmpty, hasRoom(application, for: sender) else { return }
        let evidence = try? askEvidence(of: sender)
        for content in contents where hasRoom(application, for: sender) {
            application.underWay[sender, default: 0] += 1
            let receive = application.receive
            Task(name: "delivery at \(name)", executorPreference: loop) {
                // A sender that is gone, or that the daemon does not tell about, keeps its name and nothing else.
                let known = try? await evidence?.value()
                await receive(Delivery(content, sender: known ?? PeerEvidence(uniqueName: sender)))
                await self.delivered(to: name, from: sender)
            }
        }
    }

    private func hasRoom(_ application: ExportedApplication, for sender: String) -> Bool {
        application.underWay[sender, default: 0] < limits.inboxPerSender
            && application.underWay.values.reduce(0, +) < limits.inbox
    }

    private func delivered(to name: String, from sender: String) {
        guard let application = applications[name], let count = application.underWay[sender] else { return }
        application.underWay[sender] = count > 1 ? count - 1 : nil
    }
}

/// A name that this connection owns.
struct DBusRegistration: BusRegistration {
    let bus: DBusCommandBus
    let name: String
    let uniqueName: String

    func withdraw() async { await bus.withdraw(name) }
}
