import OpenIDConnect
import Testing

@Suite struct `A trace context` {
    private let flow = "3abacd78-c440-4d88-a16d-a1ae6e591107"

    @Test func `is the flow's UUID and a span, as W3C Trace Context writes them`() throws {
        let context = try #require(TraceContext(flow: flow, spanBytes: [0, 1, 2, 3, 4, 5, 6, 255, 9]))
        #expect(context.text == "00-3abacd78c4404d88a16da1ae6e591107-00010203040506ff-01")
        #expect(TraceContext(context.text) == context)
        #expect(context.flow == flow && context.span == "00010203040506ff")
    }

    @Test func `is not made of what is no UUID in lower case, or of too few bytes`() {
        for other in ["", "f", flow.uppercased(), flow + "0", "00000000-0000-0000-0000-000000000000"] {
            #expect(TraceContext(flow: other, spanBytes: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
        }
        #expect(TraceContext(flow: flow, spanBytes: [1, 2, 3, 4, 5, 6, 7]) == nil)
    }

    @Test(arguments: [
        nil, "", "00-3abacd78c4404d88a16da1ae6e591107-0001020304050607",
        "01-3abacd78c4404d88a16da1ae6e591107-0001020304050607-01",
        "00-3ABACD78C4404D88A16DA1AE6E591107-0001020304050607-01",
        "00-3abacd78c4404d88a16da1ae6e591107-0000000000000000-01",
        "00-00000000000000000000000000000000-0001020304050607-01",
        "00-3abacd78c4404d88a16da1ae6e59110g-0001020304050607-01",
        "00-3abacd78c4404d88a16da1ae6e5911070-001020304050607-01",
    ])
    func `is not read from what the header does not allow`(_ text: String?) { #expect(TraceContext(text) == nil) }
}
