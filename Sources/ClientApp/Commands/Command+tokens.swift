import Basics
import CommandLineInterface
import IdentityClient
import OpenIDConnect
import Platform

extension CommandLineInterface.Command {
    /// Prints what the provider says about the user.
    static let userinfo = CommandLineInterface.Command(
        "userinfo", "print the user's claims, as the provider tells them now",
        details: """
            When the provider cannot be reached, what it told at the login is printed, and said to be that.
            """,
        examples: [.init("countersign-client userinfo", "the current account")], options: .account
    ) { call in
        try await ClientSession.run(call) { session in
            let account = try await session.account(call.option("--account"))
            let claims = try await session.claims(of: account, call)
            call.output.result(claims, text: JSONValue.object(claims).prettyText())
            return .done
        }
    }

    /// Prints an access token that is valid now.
    static let token = CommandLineInterface.Command(
        "token", "print an access token that is valid now",
        details: """
            Tokens of a hand-off are bound to the app's key, so a request needs a proof beside the token: --header prints \
            both header lines for one request.
            """,
        examples: [
            .init("countersign-client token --bare", "the token alone"),
            .init(
                "countersign-client token --header --url URL | curl -H @- URL",
                "call an interface with the token and its proof"),
            .init("eval \"$(countersign-client token --env)\"", "set ACCESS_TOKEN and TOKEN_TYPE in a shell"),
        ],
        options: .account + [
            Option("--min-valid", "TIME", values: .duration, "how long it must be valid at least: 60s"),
            Option("--bare", "print the token alone"),
            Option("--header", "print the header lines of one request"),
            Option("--env", "print shell assignments"),
            Option("--url", "URL", "the request that --header is for; the provider's userinfo endpoint by default"),
            Option("--method", "METHOD", "the request's method, GET by default"),
        ]
    ) { call in
        guard ["--bare", "--header", "--env"].filter(call.flag).count <= 1 else {
            throw call.invalid("--bare", "only one of --bare, --header and --env can be printed")
        }
        return try await ClientSession.run(call) { session in
            let accounts = session.client.accounts
            let account = try await session.account(call.option("--account"))
            let token = try await accounts.validToken(
                for: account, minimum: try call.duration("--min-valid") ?? .seconds(60))
            let text = token.accessToken.unmasked
            if call.flag("--header") {
                let url = try await call.option("--url").orElse { try await accounts.userInfoURL(of: account) }
                call.output.data("Authorization: \(token.tokenType) \(text)")
                if token.tokenType == "DPoP" {
                    let method = call.option("--method") ?? "GET"
                    call.output.data("DPoP: \(try await accounts.proof(method: method, url: url, token: token))")
                }
            } else if call.flag("--env") {
                call.output.data("ACCESS_TOKEN=\(text)\nTOKEN_TYPE=\(token.tokenType)")
            } else {
                call.output.result(
                    [
                        "accessToken": .string(text), "tokenType": .string(token.tokenType),
                        "expires": .string(token.expires.description),
                    ], text: text)
            }
            return .done
        }
    }
}

extension ClientSession {
    /// The claims as the provider tells them now; without a provider, as it told them at the login.
    fileprivate func claims(of account: UserAccount, _ call: Invocation) async throws -> [String: JSONValue] {
        do {
            return try await client.accounts.userInfo(for: account).claims
        } catch ErrorCode.httpUnreachable {
            call.output.talk(
                "\(account.issuer) cannot be reached. This is what it told at the login, \(account.loggedInAt).")
            var claims: [String: JSONValue] = [
                "sub": .string(account.subject), "preferred_username": .string(account.username),
            ]
            claims["name"] = account.displayName.map(JSONValue.string)
            claims["email"] = account.email.map(JSONValue.string)
            return claims
        }
    }
}

extension Swift.Optional {
    /// The value, or what `make` gives.
    fileprivate func orElse(_ make: () async throws -> Wrapped) async rethrows -> Wrapped {
        if let self { self } else { try await make() }
    }
}
