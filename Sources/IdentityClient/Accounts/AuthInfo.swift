public import Basics

/// How an account came to this app.
public struct AuthInfo: Sendable, Hashable {
    /// The kinds of authentication.
    public enum AuthType: String, Sendable, Codable {
        /// Handed over by an identity provider app.
        case idp
        /// By the provider's own pages in a browser.
        case webServer = "web-server"
        /// By a refresh token.
        case refresh
        /// Not known, because it failed before that was decided.
        case unknown
    }

    /// The kind of authentication.
    public let authType: AuthType
    /// The flow of the login, as the logs of all apps name it.
    public let flow: String?

    package init(_ authType: AuthType, flow: String? = nil) {
        self.authType = authType
        self.flow = flow
    }
}

/// Why an account operation failed. The underlying error is one of ours, with a code.
public enum UserAccountManagerError: Error, Sendable {
    case loginFailed(underlyingError: any Error, authInfo: AuthInfo)
    case refreshFailed(underlyingError: any Error, authInfo: AuthInfo)
    case userSwitchFailed(underlyingError: any Error)
}

/// The error shows as the one below it, which says what happened.
extension UserAccountManagerError: CodedError {
    /// The error below.
    public var underlyingError: any Error {
        switch self {
        case .loginFailed(let error, _), .refreshFailed(let error, _), .userSwitchFailed(let error): error
        }
    }

    /// The flow that failed, where one had begun.
    public var flow: String? {
        switch self {
        case .loginFailed(_, let info), .refreshFailed(_, let info): info.flow
        case .userSwitchFailed: nil
        }
    }

    private var coded: any CodedError {
        underlyingError as? any CodedError
            ?? Fault(.internalFault, detail: "\(type(of: underlyingError))", underlying: underlyingError)
    }

    public var code: ErrorCode { coded.code }
    public var text: String { coded.text }
    public var nextStep: String { coded.nextStep }
    public var detail: String? { coded.detail }
}

extension UserAccountManagerError: CustomStringConvertible {
    public var description: String { "error[\(code.name)] \(text)" }
}
