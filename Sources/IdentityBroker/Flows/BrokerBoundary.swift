package import Platform

extension Boundary {
    /// `authrequest` is taken.
    package static let brokerRequestTaken = Boundary("broker.request-taken")
    /// The account is chosen and consent is given.
    package static let brokerAccountChosen = Boundary("broker.account-chosen")
    /// The provider gave a code; the answer is not stored yet.
    package static let brokerCodeObtained = Boundary("broker.code-obtained")
    /// The answer is stored; it has not left yet.
    package static let brokerAnswerStored = Boundary("broker.answer-stored")
    /// The answer has left.
    package static let brokerAnswerSent = Boundary("broker.answer-sent")
    /// `authack` is taken.
    package static let brokerReportTaken = Boundary("broker.report-taken")

    /// Every boundary of the identity provider app, in the order of a login.
    package static let broker: [Boundary] = [
        .brokerRequestTaken, .brokerAccountChosen, .brokerCodeObtained, .brokerAnswerStored, .brokerAnswerSent,
        .brokerReportTaken,
    ]
}
