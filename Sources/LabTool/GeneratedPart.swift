import Basics
import HandoffLab

/// A piece of the documentation that is made from the code: a whole page, or what stands between two marks in one.
struct GeneratedPart: Sendable, CustomStringConvertible {
    /// The page, from the root of the repository.
    let page: String
    /// The name in the marks `<!-- generated: NAME -->` and `<!-- end of NAME -->`; `nil` for the whole page.
    let name: String?
    let text: String

    /// Every piece; `scripts/generate` writes them, and a test compares.
    static let all: [GeneratedPart] = [
        GeneratedPart(page: "docs/errors.md", name: nil, text: ErrorReference.markdown),
        GeneratedPart(page: "docs/handoff-protocol.md", name: "contract", text: ContractReference.markdown),
        GeneratedPart(page: "docs/guides/scripts.md", name: "script-format", text: ScriptReference.markdown),
        GeneratedPart(
            page: "docs/handoff-script.schema.json", name: nil, text: ScriptSchema.json.serializedText + "\n"),
    ]

    var description: String { name.map { "\(page), \($0)" } ?? page }

    /// The page as it should be.
    ///
    /// - Throws: `generated-part-missing` when the marks are not there, once and in order.
    func applied(to old: String) throws(Fault) -> String {
        guard let name else { return text }
        let (start, end) = ("<!-- generated: \(name) -->\n", "<!-- end of \(name) -->")
        guard let from = old.firstRange(of: start), let to = old[from.upperBound...].firstRange(of: end) else {
            throw Fault(.generatedPartMissing, "\(page) has no part between \(start.dropLast()) and \(end).")
        }
        return old[..<from.upperBound] + "\n\(text)\n\n" + old[to.lowerBound...]
    }
}
