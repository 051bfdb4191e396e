package import Platform

extension Boundary {
    /// The login is stored; nothing has left yet.
    package static let clientFlowStored = Boundary("client.flow-stored")
    /// `authrequest` has left.
    package static let clientRequestSent = Boundary("client.request-sent")
    /// `authresponse` is taken; its code is not redeemed yet.
    package static let clientAnswerTaken = Boundary("client.answer-taken")
    /// The code is redeemed; the account is not stored yet.
    package static let clientCodeRedeemed = Boundary("client.code-redeemed")
    /// The account is stored; `authack` has not left yet.
    package static let clientAccountStored = Boundary("client.account-stored")

    /// An invitation is taken; whether it is followed is not decided yet.
    package static let clientInvitationTaken = Boundary("client.invitation-taken")

    /// A logout that is to be asked for is stored; nothing has left yet.
    package static let clientLogoutStored = Boundary("client.logout-stored")
    /// `logout` is taken: the login has gone, its tokens are owed to the provider, and no receipt has left.
    package static let clientLogoutTaken = Boundary("client.logout-taken")

    /// The account of an invitation is current; `authack` has not left yet.
    package static let clientSwitched = Boundary("client.switched")

    /// What a client comes by when it is invited and has the account already.
    package static let clientInvited: [Boundary] = [.clientInvitationTaken, .clientSwitched]

    /// Every boundary of the client in a login, in the order in which they can be passed.
    package static let client: [Boundary] = [
        .clientInvitationTaken, .clientFlowStored, .clientRequestSent, .clientAnswerTaken, .clientCodeRedeemed,
        .clientAccountStored,
    ]
    /// Every boundary of the client when it asks for a logout, or is told of one.
    package static let clientLogout: [Boundary] = [.clientLogoutStored, .clientLogoutTaken]
}
