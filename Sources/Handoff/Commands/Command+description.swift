import Basics

// A command that is printed, logged by mistake or shown by a failing test says no more than a trace may.

extension Command: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(name.rawValue) \(JSONValue.object(maskedFields).serializedText)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SPLoginRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Command.authrequest(self).description }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SPLoginResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Command.authresponse(self).description }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LogoutRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Command.logout(self).description }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CommandURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(scheme)://oauth2/\(CommandURL.version)/\(name.rawValue)?command=••••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension UnverifiedCommand: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "unverified \(url)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SealedCommand: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "sealed \(command)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ClientFlow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "flow \(id) with \(peer): \(phase)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
