package import Basics
import FoundationEssentials
import LinuxPlatform
package import Platform

/// The person at a real app: a folder with what is to be answered, which `countersign lab-prompt` reads for each
/// question that the app asks through `--prompt command:PATH`.
package struct RealPerson: Sendable {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    /// Makes the folder and the program that the app is to ask.
    ///
    /// - Parameter lab: the path of `countersign`.
    static func make(in folder: String, lab: String) throws -> RealPerson {
        _ = try PrivateDirectory(creating: folder)
        let script = "#!/bin/sh\nexec '\(lab)' lab-prompt '\(folder)' -\n"
        let path = folder + "/ask"
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return RealPerson(folder: folder)
    }

    /// The value of `--prompt`.
    var prompt: String { "command:\(folder)/ask" }

    func seat(_ person: Person, password: Secret<String>) throws {
        let json: JSONValue = [
            "user": .string(person.user), "choices": .array(person.choices.map(JSONValue.string)),
            "password": .string(password.unmasked),
        ]
        try PrivateFile(path: folder + "/person.json").write(json.serialized())
    }

    func hold() throws { try PrivateFile(path: folder + "/hold").write([]) }

    func release() throws {
        if FileManager.default.fileExists(atPath: folder + "/hold") {
            try FileManager.default.removeItem(atPath: folder + "/hold")
        }
    }

    /// The kinds of the questions so far.
    var asked: [String] {
        let bytes = FileManager.default.contents(atPath: folder + "/asked") ?? Data()
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - In the program that the app asks

    /// Answers one question, given as JSON, with JSON; waits while questions are held.
    package func answer(_ text: String, _ environment: Environment) async throws -> JSONValue {
        let question = try Question(prompt: JSONValue(parsing: text))
        try note(question.kind)
        while FileManager.default.fileExists(atPath: folder + "/hold") {
            try await environment.sleep(for: .milliseconds(10))
        }
        let json = try JSONValue(parsing: FileManager.default.contents(atPath: folder + "/person.json") ?? Data())
        let person = Person(
            json["user"]?.stringValue ?? "", choices: json["choices"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        do {
            let answer = try await person.answer(question, password: Secret(json["password"]?.stringValue ?? ""))
            return [
                "choice": .string(answer.choice),
                "fields": .object(answer.fields.mapValues { .string($0.unmasked) }),
            ]
        } catch is Cancellation {
            return ["cancel": true]
        }
    }

    private func note(_ kind: Question.Kind) throws {
        let path = folder + "/asked"
        // Questions of one app come one after another, each by a program of its own.
        var bytes = FileManager.default.contents(atPath: path) ?? Data()
        bytes.append(contentsOf: Array("\(kind.rawValue)\n".utf8))
        try bytes.write(to: URL(filePath: path))
    }
}

extension Question {
    /// A question as a prompt program gets it; what only shows is left out.
    fileprivate init(prompt json: JSONValue) throws {
        guard let kind = json["kind"]?.stringValue.flatMap(Question.Kind.init) else { throw Fault(.invalidJSON) }
        self.init(
            kind, title: json["title"]?.stringValue ?? "", problem: json["problem"]?.stringValue,
            fields: (json["fields"]?.arrayValue ?? []).map { field in
                Field(
                    field["name"]?.stringValue ?? "", field["label"]?.stringValue ?? "",
                    isSecret: field["secret"]?.boolValue ?? false, value: field["value"]?.stringValue ?? "")
            },
            choices: (json["choices"]?.arrayValue ?? []).map { choice in
                Choice(
                    choice["id"]?.stringValue ?? "", choice["title"]?.stringValue ?? "",
                    disabledReason: choice["disabledReason"]?.stringValue)
            }, deadline: Timestamp(seconds: 0))
    }
}
