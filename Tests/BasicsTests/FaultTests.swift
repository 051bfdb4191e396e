import Basics
import Testing

@Suite struct `A fault` {
    private static let code = ErrorCode("out-of-ink", .environment, "There is no ink.", next: "Fill it up.")

    @Test func `has its code's words unless it brings its own`() {
        let plain = Fault(Self.code)
        #expect(plain.text == "There is no ink.")
        #expect(plain.nextStep == "Fill it up.")
        #expect(plain.detail == nil)
        let own = Fault(
            Self.code, "Blue is empty.", next: "Use black.", detail: "tank 2", underlying: Cancellation(by: .peer))
        #expect(own.text == "Blue is empty.")
        #expect(own.nextStep == "Use black.")
        #expect(own.underlying as? Cancellation == Cancellation(by: .peer))
    }

    @Test func `shows its code and public text, and never its detail`() {
        let fault = Fault(Self.code, detail: "private")
        #expect("\(fault)" == "error[out-of-ink] There is no ink.")
    }

    @Test func `equals another by its code alone`() {
        #expect(Fault(Self.code, "one") == Fault(Self.code, "other", detail: "x"))
        #expect(Fault(Self.code) != Fault(.invalidJSON))
        #expect(Self.code == ErrorCode("out-of-ink", .failed, "Another text.", next: "Another step."))
        #expect(Set([Self.code, ErrorCode("out-of-ink", .failed, "", next: "")]).count == 1)
    }

    @Test func `a cancellation is a coded error with an origin, and no fault`() {
        let errors: [any CodedError] = [Cancellation(by: .user), Cancellation(by: .peer), Cancellation(by: .caller)]
        #expect(errors.allSatisfy { $0.code == .cancelled && !($0 is Fault) && $0.detail == nil })
        #expect(Set(errors.map(\.text)).count == 3)
        #expect(Cancellation(by: .user) != Cancellation(by: .peer))
        #expect(ErrorCode.cancelled.kind == .cancelled)
    }

    @Test func `every code has a meaning and a next step`() {
        #expect(Set(ErrorCode.basics.map(\.name)).count == ErrorCode.basics.count)
        for code in ErrorCode.basics { #expect(!code.meaning.isEmpty && !code.nextStep.isEmpty) }
    }
}
