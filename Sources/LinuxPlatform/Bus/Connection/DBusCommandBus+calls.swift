import Basics
import Platform

extension DBusCommandBus {
    package func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        try await callApplication(
            "Open", at: name, [.strings([url]), .noOptions], texts: [url], startsReceiver: startIfNeeded)
    }

    package func activate(_ action: String, parameter: String?, at name: String) async throws {
        try await callApplication(
            "ActivateAction", at: name,
            [.string(action), .variants(parameter.map { [$0] } ?? []), .noOptions],
            texts: [action, parameter ?? ""], startsReceiver: false)
    }

    private func callApplication(
        _ member: String, at name: String, _ arguments: [BusArgument], texts: [String], startsReceiver: Bool
    ) async throws {
        // A NUL would end the text early for the receiver, and what it then reads was never written by anyone.
        guard texts.allSatisfy({ !$0.utf8.contains(0) }), texts.map(\.utf8.count).reduce(0, +) <= limits.bytesPerCall
        else { throw Fault(.busMessageRefused) }
        guard connection != nil else { throw Fault(.busUnavailable) }
        guard BusName.isValid(name) else { throw Fault(.peerNotRunning, detail: "no bus name") }
        let path = try await path(at: name)
        let call = BusCall.application(
            member, at: name, path: path, arguments, startsReceiver: startsReceiver, timeout: limits.peerTimeout)
        guard startsReceiver else { return try await deliver(call) }
        // An app that never comes up must not take the others' turn.
        guard starting[name] != nil || starting.count < limits.starts else { throw Fault(.tooManyStarts) }
        starting[name, default: 0] += 1
        defer { starting[name] = starting[name].flatMap { $0 > 1 ? $0 - 1 : nil } }
        try await deliver(call)
    }

    /// Calls, and again for a while where the receiver has its name already and its object not yet.
    private func deliver(_ call: BusCall) async throws {
        for pause in limits.objectPauses {
            do {
                return try await self.call(call) { _ in }
            } catch let fault as Fault where BusFault.saysNoObject(fault) {
                try await Task.sleep(for: pause)
            }
        }
        try await self.call(call) { _ in }
    }

    /// The path of the object to call. A unique name says nothing of it: it is that of an app name of its owner.
    private func path(at name: String) async throws -> String {
        guard BusName.isUnique(name) else { return ApplicationInterface.path(of: name) }
        if let known = peers.name(of: name) { return ApplicationInterface.path(of: known) }
        let all = try await call(.daemon("ListNames", [], timeout: limits.daemonTimeout)) {
            $0.readStrings(atMost: 4_096, bytes: 1 << 20)
        }
        for candidate in all.sorted() where !BusName.isUnique(candidate) && candidate != BusName.daemon {
            if try await owner(of: candidate) == name { return ApplicationInterface.path(of: candidate) }
        }
        throw Fault(.peerNotRunning, detail: "\(name) owns no name")
    }
}
