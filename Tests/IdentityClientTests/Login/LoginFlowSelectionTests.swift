import Basics
import Platform
import Synchronization
import TestSupport
import Testing

@testable import IdentityClient

@Suite struct `The answer of an app's own login-flow selection` {
    /// A view that answers as the test says, once it is shown.
    private final class View: LoginFlowSelectionView {
        private struct State {
            weak var delegate: (any LoginFlowSelectionViewDelegate)?
            var options: [String: String] = [:]
        }

        private let state = Mutex(State())
        private let answer: @Sendable (View, any LoginFlowSelectionViewDelegate) -> Void

        init(_ answer: @escaping @Sendable (View, any LoginFlowSelectionViewDelegate) -> Void) { self.answer = answer }

        var selectionFlowDelegate: (any LoginFlowSelectionViewDelegate)? {
            get { state.withLock { $0.delegate } }
            set { state.withLock { $0.delegate = newValue } }
        }
        var appOptions: [String: String] {
            get { state.withLock { $0.options } }
            set { state.withLock { $0.options = newValue } }
        }
        func present() {
            if let delegate = selectionFlowDelegate { answer(self, delegate) }
        }
    }

    private func answer(
        _ body: @escaping @Sendable (View, any LoginFlowSelectionViewDelegate) -> Void
    ) async throws -> LoginFlowSelection {
        try await LoginFlowSelectionBridge(
            identityProvider: "org.example.idp",
            hosts: [("localhost:8123", "org.example.idp"), ("localhost:9123", "org.example.other")]
        ).answer(of: View(body))
    }

    @Test(.rule("T64")) func `counts the first time, and what comes later is ignored`() async throws {
        let first = try await answer { view, delegate in
            delegate.loginFlowSelectionIDPSelected(view, options: [:])
            delegate.loginFlowSelectionLocalLoginSelected(view, options: [:])
            delegate.loginFlowSelectionCancelled(view)
        }
        #expect(first == .identityProvider("org.example.idp"))
        let other = try await answer { view, delegate in
            delegate.loginFlowSelectionLocalLoginSelected(view, options: [:])
            delegate.loginFlowSelectionIDPSelected(view, options: [:])
        }
        #expect(other == .localLogin(loginHost: nil))
    }

    @Test(.rule("T27")) func `names a login host only where the registry has it`() async throws {
        let known = try await answer { view, delegate in
            delegate.loginFlowSelectionLocalLoginSelected(view, options: ["login_host": "localhost:8123", "x": "y"])
        }
        #expect(known == .localLogin(loginHost: "localhost:8123"))
        let louder = try await answer { view, delegate in
            delegate.loginFlowSelectionLocalLoginSelected(view, options: ["login_host": "LocalHost:8123"])
        }
        #expect(louder == .localLogin(loginHost: "localhost:8123"))
        let unknown = try await answer { view, delegate in
            delegate.loginFlowSelectionLocalLoginSelected(view, options: ["login_host": "evil.example"])
        }
        #expect(unknown == .localLogin(loginHost: nil))
    }

    @Test(.rule("T27")) func `brings the host to the identity provider app, of which it may choose one`() async throws {
        func chosen(_ host: String?) async throws -> LoginFlowSelection {
            try await answer { view, delegate in
                var options = ["x": "y"]
                options["login_host"] = host
                delegate.loginFlowSelectionIDPSelected(view, options: options)
            }
        }
        #expect(try await chosen("LocalHost:8123") == .identityProvider("org.example.idp", loginHost: "localhost:8123"))
        #expect(
            try await chosen("localhost:9123") == .identityProvider("org.example.other", loginHost: "localhost:9123"))
        for other in [nil, "", "localhost", "evil.example"] {
            #expect(try await chosen(other) == .identityProvider("org.example.idp", loginHost: nil))
        }
    }

    @Test(.rule("T64")) func `that comes after the deadline is ignored`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startClient()
            let late = Collected<any LoginFlowSelectionViewDelegate>()
            let shown = Collected<View>()
            await client.setLoginFlowSelection {
                View { view, delegate in
                    shown.note(view)
                    late.note(delegate)
                }
            }
            do {
                _ = try await client.login(LoginOptions(timeout: .seconds(5)))
                Issue.record("it succeeded")
            } catch let error as UserAccountManagerError {
                #expect(error.code == .deadlinePassed)
            }
            let view = try #require(shown.all.first)
            late.all.first?.loginFlowSelectionIDPSelected(view, options: [:])
            try await environment.sleep(for: .seconds(5))
            #expect(try await client.accounts.all().isEmpty)
            // Nothing began: with nobody there, a request would have left a word in the journal.
            #expect(pair.journal.entries.isEmpty)
            await client.stop()
        }
    }

    @Test func `may be that the person gave up`() async throws {
        await #expect(throws: Cancellation(by: .user)) {
            try await answer { view, delegate in delegate.loginFlowSelectionCancelled(view) }
        }
    }

    @Test func `is asked for through the view that the app plugged in, with what it needs to show`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startClient()
            let shown = Collected<[String: String]>()
            await client.setLoginFlowSelection {
                View { view, delegate in
                    shown.note(view.appOptions)
                    delegate.loginFlowSelectionCancelled(view)
                }
            }
            do {
                _ = try await client.login(LoginOptions(userHint: "alice"))
                Issue.record("it succeeded")
            } catch let error as UserAccountManagerError {
                #expect(error.code == .cancelled)
            }
            let options = try #require(shown.all.first)
            #expect(options["app_name"] == "Notes")
            #expect(options["user_hint"] == "alice")
            #expect(options["login_hosts"] == "localhost:8123")
            #expect(options["reason"] != nil && options["deadline"] != nil)
            await client.stop()
        }
    }
}
