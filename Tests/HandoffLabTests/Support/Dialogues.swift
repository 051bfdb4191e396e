import Basics
import HandoffLab
import Platform
import Synchronization

/// Scripted answers.
enum Script {
    /// A person who signs in with the usual password and allows what is asked.
    static func allowing(_ name: String) -> ScriptedDialogue { choosing(["allow", "sign-in", "switch"], name) }

    /// A person who signs in with the usual password and answers so.
    static func choosing(_ choices: [String], _ name: String = "alice") -> ScriptedDialogue {
        ScriptedDialogue(
            choices: choices, fields: ["username": Secret(name), "password": Secret("\(name)-secret")])
    }
}

/// Notes every question, and asks the one behind it.
final class NotedDialogue: Dialogue {
    private let inner: any Dialogue
    private let noted = Mutex<[Question]>([])

    init(_ inner: any Dialogue) { self.inner = inner }

    var questions: [Question] { noted.withLock { $0 } }
    var kinds: [Question.Kind] { questions.map(\.kind) }

    func ask(_ question: Question) async throws -> Answer {
        noted.withLock { $0.append(question) }
        return try await inner.ask(question)
    }
}

/// A person who never answers.
final class SilentDialogue: Dialogue {
    /// Brings the first question.
    let asked = Promise<Question>()
    /// Brings the news that a question was taken back.
    let takenBack = Promise<Void>()

    func ask(_ question: Question) async throws -> Answer {
        asked.fulfil(question)
        let never = Promise<Answer>()
        do {
            return try await never.value()
        } catch {
            takenBack.fulfil()
            throw error
        }
    }
}

/// Answers one question after the other, whatever they are.
final class DialogueInOrder: Dialogue {
    private let answers: Mutex<[Answer]>

    init(_ answers: [Answer]) { self.answers = Mutex(answers) }

    func ask(_ question: Question) async throws -> Answer {
        await Task.yield()
        guard let next = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw Fault(.interactionRequired, "there is no answer left for \(question.kind)")
        }
        return next
    }

    static func signIn(_ name: String, _ password: String) -> Answer {
        Answer("sign-in", fields: ["username": Secret(name), "password": Secret(password)])
    }
}

/// Asks one dialogue first, and another when it is told to.
struct Held: Dialogue {
    let first: SilentDialogue
    let release: Promise<Void>
    let then: any Dialogue

    init(_ first: SilentDialogue, until release: Promise<Void>, _ then: any Dialogue) {
        self.first = first
        self.release = release
        self.then = then
    }

    func ask(_ question: Question) async throws -> Answer {
        first.asked.fulfil(question)
        try await release.value()
        return try await then.ask(question)
    }
}

/// Takes its time, and then answers as the one behind it.
struct SlowDialogue: Dialogue {
    let delay: Duration
    let environment: Environment
    let inner: any Dialogue

    func ask(_ question: Question) async throws -> Answer {
        try await environment.sleep(for: delay)
        return try await inner.ask(question)
    }
}

/// The first question goes to one dialogue, every other to the next.
final class FirstThen: Dialogue {
    private let first: any Dialogue
    private let next: any Dialogue
    private let isFirst = Mutex(true)

    init(_ first: any Dialogue, _ next: any Dialogue) {
        self.first = first
        self.next = next
    }

    func ask(_ question: Question) async throws -> Answer {
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        return try await (isFirst ? first : next).ask(question)
    }
}
