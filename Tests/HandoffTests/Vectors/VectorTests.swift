import Basics
import Testing

@testable import Handoff

/// docs/handoff-vectors.json and the samples in docs/handoff-protocol.md, made by another implementation
/// (scripts/vectors), against the code as it is.
@Suite struct VectorTests {
    let vectors: PublishedVectors

    init() throws { vectors = try PublishedVectors() }

    @Test func `every published command is taken, and says what is published beside it`() throws {
        let published = vectors.list("accepted")
        #expect(Set(published.compactMap { $0["command"]?.stringValue }) == Set(CommandName.allCases.map(\.rawValue)))
        for vector in published {
            let command = try #require(try vectors.verified(vector))
            #expect(.object(command.envelope.json.merging(command.command.fields) { $1 }) == vector["claims"])
            #expect((vector["encryption_header"] != nil) == command.name.isPersonal)
        }
    }

    @Test func `every published refusal is refused by its code`() throws {
        let published = vectors.list("refused")
        for vector in published {
            let why = vector["why"]?.stringValue ?? "?"
            let code = try refusal { _ = try vectors.verified(vector) }
            #expect(code?.name == vector["code"]?.stringValue, "\(why)")
        }
        let rules = Set(VerificationRules.standard.list.map(\.code.name))
        // What the rule of the header of the encryption refuses, decryption has refused before under the same code.
        #expect(rules.isSubset(of: Set(published.compactMap { $0["code"]?.stringValue })))
    }

    @Test func `the page shows each published command, long texts cut`() throws {
        let page = try PublishedVectors.page("handoff-protocol.md")
        for vector in vectors.list("accepted") {
            let claims = try #require(vector["claims"])
            #expect(page.contains("```json\n\(shown(claims).prettyText())\n```"), "\(vector["command"] ?? "?")")
        }
    }

    private func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.mapValues(shown))
        case .string(let text) where text.unicodeScalars.count > 60: .string(String(text.prefix(40)) + "…")
        default: value
        }
    }
}
