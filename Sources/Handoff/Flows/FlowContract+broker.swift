extension FlowContract {
    /// What the identity provider app makes of each message.
    static func brokerRow(_ message: FlowMessage) -> Row {
        switch message {
        case .authresponse, .idpinit, .idpauthcodeinit: Row(.refused(.commandRole))
        case .authrequest:
            Row(
                none: .begins(.waiting), invited: .uncorrelated, waiting: .uncorrelated, answered: .uncorrelated,
                ended: .uncorrelated)
        case .authrequestToInvitation:
            Row(
                none: .unknown, invited: .moves(.waiting), waiting: .uncorrelated, answered: .uncorrelated,
                ended: .late)
        // Nobody logs in without a code, and in an invitation there is none.
        case .loggedIn:
            Row(
                none: .unknown, invited: .uncorrelated, waiting: .uncorrelated, answered: .ends(.loggedIn),
                ended: .late)
        case .switched: report(.switched)
        case .failed: report(.failed)
        case .error: report(.refused)
        case .cancel:
            Row(
                none: .unknown, invited: .ends(.cancelledByPeer), waiting: .ends(.cancelledByPeer),
                answered: .ends(.cancelledByPeer), ended: .late)
        // It is about an account, and is no part of a login.
        case .logout:
            Row(
                none: .answered, invited: .uncorrelated, waiting: .uncorrelated, answered: .uncorrelated,
                ended: .uncorrelated)
        // One that answers a logout that was told is taken before any flow is looked at.
        case .logoutack: Row(.uncorrelated)
        case .ping: Row(.answered)
        // One that answers a ping of ours is taken before any flow is looked at.
        case .pong: Row(.uncorrelated)
        }
    }

    /// The client's last word, to an invitation or to a code.
    private static func report(_ ending: FlowEnding) -> Row {
        Row(none: .unknown, invited: .ends(ending), waiting: .uncorrelated, answered: .ends(ending), ended: .late)
    }
}
