import IdentityClient
import LinuxPlatform

do {
    let surroundings = try await LinuxSurroundings.make(app: "com.example.notes")
    let client = try await HandoffClient(surroundings: surroundings)
    try await client.start()

    let (account, _) = try await client.login(LoginOptions(via: .identityProvider(nil)))
    print("Hello, \(account.username), known to \(account.issuer) as \(account.subject).")

    await client.stop()
} catch let error as UserAccountManagerError {
    print("\(error.text) \(error.nextStep)")
} catch {
    print(error)
}
