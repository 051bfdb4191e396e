extension FlowContract {
    /// What a client makes of each message.
    static func clientRow(_ message: FlowMessage) -> Row {
        switch message {
        case .authrequest, .authrequestToInvitation, .loggedIn, .switched, .failed: Row(.refused(.commandRole))
        case .authresponse:
            Row(
                none: .unknown, invited: .uncorrelated, waiting: .moves(.answered).changingAccounts, answered: .late,
                ended: .late)
        case .idpinit, .idpauthcodeinit:
            Row(
                none: .begins(.invited).changingAccounts, invited: .uncorrelated, waiting: .uncorrelated,
                answered: .uncorrelated, ended: .uncorrelated)
        case .error:
            Row(
                none: .unknown, invited: .uncorrelated, waiting: .ends(.refused), answered: .late, ended: .late)
        case .cancel:
            Row(
                none: .unknown, invited: .ends(.cancelledByPeer), waiting: .ends(.cancelledByPeer),
                answered: .ends(.cancelledByPeer), ended: .late)
        // It ends logins by account, and is no part of one.
        case .logout:
            Row(
                none: .answered.changingAccounts, invited: .uncorrelated, waiting: .uncorrelated,
                answered: .uncorrelated, ended: .uncorrelated)
        // One that answers a logout that was asked for is taken before any flow is looked at.
        case .logoutack: Row(.uncorrelated)
        case .ping: Row(.answered)
        // One that answers a ping of ours is taken before any flow is looked at.
        case .pong: Row(.uncorrelated)
        }
    }
}
