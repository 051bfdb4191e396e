package import Basics

/// What a classic client is told: the original's `authresponse` or `error`.
package enum ClassicAnswer: Sendable {
    case code(Secret<String>)
    case refused(AuthError.Reason)

    /// The URL for a client of that scheme.
    package func url(scheme: String, state: String?) -> Secret<String> {
        var fields: FormFields
        let name: ClassicURL.Name
        switch self {
        case .code(let code): (name, fields) = (.authresponse, FormFields([("code", code.unmasked)]))
        case .refused(let reason):
            // The original's number for a person who gave up; it has no other that says anything.
            let number = reason == .accessDenied ? "-999" : "0"
            name = .error
            fields = FormFields([
                ("errorCode", number), ("errorReason", reason.rawValue), ("errorDescription", reason.rawValue),
            ])
        }
        if let state { fields.add("state", state) }
        return Secret("\(scheme)://oauth2/\(CommandURL.version)/\(name.rawValue)?\(fields.encoded)")
    }
}
