import Platform
import Testing

/// The table of docs/outcomes.md.
struct OutcomeTable {
    struct Row: Equatable {
        var exit: Int32
        var code: String
        var nextStep: String
    }

    let rows: [Row]

    init() {
        let page = Repository.text("docs/outcomes.md") ?? ""
        rows = page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmed }
            guard cells.count == 5, let exit = Int32(cells[2]) else { return nil }
            let code = cells[3].split(separator: "`", omittingEmptySubsequences: false)
            return Row(exit: exit, code: code.count > 1 ? String(code[1]) : "", nextStep: cells[4])
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Finished {
    /// Expects an outcome that stands in docs/outcomes.md, with the next step that is printed.
    @discardableResult
    func expect(
        row code: Int32, _ errorCode: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Finished {
        expect(code, errorCode, sourceLocation: sourceLocation)
        let row = OutcomeTable.Row(exit: code, code: errorCode, nextStep: nextStep ?? "")
        #expect(OutcomeTable().rows.contains(row), "\(self)", sourceLocation: sourceLocation)
        return self
    }
}
