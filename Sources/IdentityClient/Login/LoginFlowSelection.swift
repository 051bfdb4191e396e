import Basics
import Handoff
import OpenIDConnect
import Platform

/// What the person chose in the login-flow selection.
public enum LoginFlowSelection: Sendable, Hashable {
    /// The identity provider app of that id, and a login host the person chose, if any.
    case identityProvider(String, loginHost: String? = nil)
    /// Local login, and a login host the person chose, if any.
    case localLogin(loginHost: String? = nil)
}

/// A view of the app's own that asks for the login flow; shown when the app is opened and nobody has logged in, or no
/// current user is set.
public protocol LoginFlowSelectionView: AnyObject, Sendable {
    /// Whom the view tells. Implementations hold it weakly.
    var selectionFlowDelegate: (any LoginFlowSelectionViewDelegate)? { get set }
    /// `app_name`, `reason`, `user_hint`, `login_hosts` and `deadline`; handed back with the answer. With it a
    /// `login_host` may come, one of `login_hosts`; another one, and everything else that comes, is ignored.
    var appOptions: [String: String] { get set }
    /// Shows the view.
    func present()
}

/// Takes the answer of a login-flow selection view. The first answer counts; what comes later is ignored.
public protocol LoginFlowSelectionViewDelegate: AnyObject, Sendable {
    /// The person chose the identity provider app.
    func loginFlowSelectionIDPSelected(_ view: any LoginFlowSelectionView, options: [String: String])
    /// The person chose local login.
    func loginFlowSelectionLocalLoginSelected(_ view: any LoginFlowSelectionView, options: [String: String])
    /// The person gave up.
    func loginFlowSelectionCancelled(_ view: any LoginFlowSelectionView)
}

/// Makes the app's own view, once for each selection.
public typealias LoginFlowSelectionAction = @Sendable () -> any LoginFlowSelectionView

extension Question {
    /// The login-flow selection as a question for the dialogue.
    static func loginFlow(
        appName: String, identityProviders: [IdentityProviderEntry], reason: String, deadline: Timestamp
    ) -> Question {
        var choices = identityProviders.map { entry in
            Choice(
                entry.peer.id.text, entry.peer.displayName, subtitle: "One sign-in for the apps on this machine.")
        }
        if choices.count == 1 { choices[0].id = "idp" }
        let host = identityProviders.first?.issuer.authority ?? ""
        choices.append(Choice("local", "In the browser", subtitle: "For this app only, at \(host)"))
        return Question(
            .loginFlowSelection, title: "How would you like to log in to \(appName)?", lines: [reason],
            choices: choices, deadline: deadline)
    }
}

/// Bridges an app's own view to one awaited answer.
final class LoginFlowSelectionBridge: LoginFlowSelectionViewDelegate {
    private let promise = Promise<LoginFlowSelection>()
    private let identityProvider: String
    private let hosts: [(name: String, identityProvider: String)]

    /// Makes it.
    ///
    /// - Parameters:
    ///   - identityProvider: the app that is meant where no host is named.
    ///   - hosts: the login hosts that may be named, each with the app that logs in there.
    init(identityProvider: String, hosts: [(name: String, identityProvider: String)]) {
        self.identityProvider = identityProvider
        self.hosts = hosts
    }

    func loginFlowSelectionIDPSelected(_ view: any LoginFlowSelectionView, options: [String: String]) {
        let host = host(in: options)
        promise.fulfil(.identityProvider(host?.identityProvider ?? identityProvider, loginHost: host?.name))
    }

    func loginFlowSelectionLocalLoginSelected(_ view: any LoginFlowSelectionView, options: [String: String]) {
        promise.fulfil(.localLogin(loginHost: host(in: options)?.name))
    }

    /// The host that was handed back. Everything but a known one is ignored: a view is not trusted with anything else.
    private func host(in options: [String: String]) -> (name: String, identityProvider: String)? {
        guard let named = options["login_host"] else { return nil }
        return hosts.first { sameHost($0.name, named) }
    }

    func loginFlowSelectionCancelled(_ view: any LoginFlowSelectionView) {
        promise.settle(.failure(Cancellation(by: .user)))
    }

    /// Shows the view and waits; the bridge lives as long as the wait, so the view's weak reference holds.
    func answer(of view: any LoginFlowSelectionView) async throws -> LoginFlowSelection {
        view.selectionFlowDelegate = self
        view.present()
        // The view refers to the bridge weakly; it must live until the answer is here.
        defer { withExtendedLifetime(self) {} }
        return try await promise.value()
    }
}
