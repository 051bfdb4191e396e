import Basics
import TestSupport
import Testing

@testable import LabTool

/// The documentation that is made from the code is the code's own word.
@Suite struct `A generated part` {
    @Test(arguments: GeneratedPart.all)
    func `is what the code says now`(_ part: GeneratedPart) throws {
        let page = try #require(Repository.text(part.page))
        let isCurrent = try part.applied(to: page) == page
        #expect(isCurrent, "\(part) is old: run scripts/generate")
    }

    @Test func `replaces what stands between its marks and nothing else`() throws {
        let part = GeneratedPart(page: "p", name: "x", text: "new")
        let page = "before\n<!-- generated: x -->\n\nold\n\n<!-- end of x -->\nafter"
        #expect(try part.applied(to: page) == "before\n<!-- generated: x -->\n\nnew\n\n<!-- end of x -->\nafter")
        for other in ["", "<!-- end of x --> <!-- generated: x -->\n", "<!-- generated: y -->\n<!-- end of y -->"] {
            #expect(throws: Fault.self) { try part.applied(to: other) }
        }
    }
}
