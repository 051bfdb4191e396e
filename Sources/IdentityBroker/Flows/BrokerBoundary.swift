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

    /// A logout is to be carried out; the provider has not been asked.
    package static let brokerLogoutStored = Boundary("broker.logout-stored")
    /// The provider has ended the sessions, the account has gone here, and no app has been told.
    package static let brokerLogoutRevoked = Boundary("broker.logout-revoked")
    /// Which `logout` an app gets is stored; it has not left.
    package static let brokerLogoutTold = Boundary("broker.logout-told")
    /// An app's receipt is taken.
    package static let brokerReceiptTaken = Boundary("broker.receipt-taken")

    /// An invitation is stored; it has not left yet.
    package static let brokerInvitationStored = Boundary("broker.invitation-stored")

    /// Every boundary of the identity provider app in a login, in the order in which they can be passed.
    package static let broker: [Boundary] = [
        .brokerInvitationStored, .brokerRequestTaken, .brokerAccountChosen, .brokerCodeObtained, .brokerAnswerStored,
        .brokerAnswerSent,
        .brokerReportTaken,
    ]
    /// Every boundary of the identity provider app, in the order of a logout of the device.
    package static let brokerLogout: [Boundary] = [
        .brokerLogoutStored, .brokerLogoutRevoked, .brokerLogoutTold, .brokerReceiptTaken,
    ]
}
