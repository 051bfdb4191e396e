import Platform
import Testing

extension Finished {
    /// Expects an exit code; for one that is not 0 or of a signal also the error's code, and that a next step is named.
    @discardableResult
    func expect(
        _ code: Int32, _ errorCode: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Finished {
        #expect(exit == .exited(code), "\(self)", sourceLocation: sourceLocation)
        if let errorCode {
            #expect(self.errorCode == errorCode, "\(self)", sourceLocation: sourceLocation)
            #expect(nextStep?.isEmpty == false, "\(self)", sourceLocation: sourceLocation)
        }
        return self
    }
}
