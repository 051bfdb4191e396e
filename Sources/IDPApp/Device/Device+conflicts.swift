import Basics
import CommandLineInterface
import Handoff
import IdentityBroker
import LinuxPlatform
import Platform

/// Schemes that more than one app claims.
extension Device {
    /// What is to be noted when an app is registered with this scheme; nothing where no other has it, or where it was
    /// settled before and nothing else is said now.
    ///
    /// - Throws: `scheme-taken` where the policy refuses.
    func conflict(about app: AppEnrolment.Description, _ call: Invocation) async throws -> SchemeConflicts.Conflict? {
        var holders = try brokerStore.read { try AppRegistry.list(in: $0) }
            .filter { $0.scheme == app.scheme && $0.id != app.id }.map(\.id.text)
        let own = try await identityProvider().manifest
        if own.schemes.contains(app.scheme) { holders.insert(own.id, at: 0) }
        guard !holders.isEmpty else { return nil }
        let known = try SchemeConflicts(home).all().first { $0.scheme == app.scheme }
        let asked = call.option("--conflict").flatMap(SchemeConflicts.Policy.init)
        if asked == nil, known?.apps.contains(app.id.text) == true { return nil }
        let apps = (known?.apps ?? holders).filter { $0 != app.id.text } + [app.id.text]
        let first = known?.opens ?? holders[0]
        let policy = asked ?? .refuse
        let opens: String
        switch policy {
        case .refuse:
            throw Fault(.schemeTaken, "\(holders.joined(separator: " and ")) claims the scheme \(app.scheme).")
        case .first: opens = first
        case .newest: opens = app.id.text
        case .ask: opens = try await askWhoOpens(app.scheme, first: first, newest: app.id.text, call)
        }
        return SchemeConflicts.Conflict(scheme: app.scheme, apps: apps, opens: opens, policy: policy)
    }

    private func askWhoOpens(
        _ scheme: String, first: String, newest: String, _ call: Invocation
    ) async throws -> String {
        let open = try await surroundings(call)
        do {
            let answer = try await open.surroundings.dialogue.ask(
                Question(
                    .schemeConflict, title: "Who opens \(scheme)?",
                    lines: ["\(first) claims this scheme, and \(newest) does now too."],
                    choices: [
                        .init("first", "Leave it to \(first)"), .init("newest", "Give it to \(newest)"),
                    ], deadline: environment.now() + .seconds(120)))
            await open.close()
            return answer.choice == "newest" ? newest : first
        } catch {
            await open.close()
            throw error
        }
    }
}
