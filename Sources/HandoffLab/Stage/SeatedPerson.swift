import Basics
import Platform
import Synchronization

/// The person at a simulated app: answers as the script says at the moment, or lets questions wait.
final class SeatedPerson: Dialogue {
    private struct State {
        var person: Person
        var asked: [Question.Kind] = []
        /// Brings the end of the wait, while questions wait.
        var held: Promise<Void>?
    }

    private let state: Mutex<State>
    private let password: @Sendable (String) -> Secret<String>

    init(_ person: Person, password: @escaping @Sendable (String) -> Secret<String>) {
        state = Mutex(State(person: person))
        self.password = password
    }

    var asked: [String] { state.withLock { $0.asked.map(\.rawValue) } }

    func seat(_ person: Person) { state.withLock { $0.person = person } }

    func hold() { state.withLock { if $0.held == nil { $0.held = Promise() } } }

    func release() {
        let held = state.withLock { state in
            defer { state.held = nil }
            return state.held
        }
        held?.fulfil()
    }

    func ask(_ question: Question) async throws -> Answer {
        let held = state.withLock { state in
            state.asked.append(question.kind)
            return state.held
        }
        try await held?.value()
        let person = state.withLock(\.person)
        return try await person.answer(question, password: password(person.user))
    }
}

extension Person {
    /// What this person answers. One who finds no choice that the script names gives up.
    func answer(_ question: Question, password: Secret<String>) async throws -> Answer {
        do {
            return try await ScriptedDialogue(
                choices: choices + [user], fields: ["username": Secret(user), "password": password]
            ).ask(question)
        } catch ErrorCode.interactionRequired {
            throw Cancellation(by: .user)
        }
    }
}
