import Basics

/// `authrequest`: the client asks for a login. Everything OAuth is inside `request` and nowhere else.
package struct SPLoginRequest: Sendable, Hashable {
    /// The signed request object (RFC 9101), passed on unchanged (`request`).
    package var request: String
    /// Whom the client means (`user_hint`).
    package var userHint: UserHint?
    /// What the client calls itself (`app_name`). Never verified; shown as such.
    package var appName: String?
    /// The host the person chose (`login_host`); used only if the registry has it.
    package var loginHost: String?

    package init(request: String, userHint: UserHint? = nil, appName: String? = nil, loginHost: String? = nil) {
        self.request = request
        self.userHint = userHint
        self.appName = appName
        self.loginHost = loginHost
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        request = try reader.text("request")
        if let hint = reader.optional("user_hint") { userHint = try UserHint(hint) } else { userHint = nil }
        appName = try reader.optionalText("app_name")
        loginHost = try reader.optionalText("login_host")
    }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["request": .string(request)]
        fields["user_hint"] = userHint?.json
        fields["app_name"] = appName.map(JSONValue.string)
        fields["login_host"] = loginHost.map(JSONValue.string)
        return fields
    }
}
