import Basics
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite(.needs("curl")) struct WebDialogueTests {
    /// Opens nothing, and remembers what it was to open.
    private final class Browser: URLOpener {
        let address = Promise<String>()
        var isAvailable: Bool { true }
        func open(_ url: String) async throws { address.fulfil(url) }
    }

    /// An exchange as a browser has it, by the `curl` program.
    private func fetch(_ url: String, _ arguments: String...) async throws -> (status: String, body: String) {
        let child = try await LinuxChildProcesses(tellsParentsEnd: false).start(
            ChildCommand("curl", ["--silent", "--max-time", "10", "--write-out", "\n%{http_code}", url] + arguments))
        var lines: [String] = []
        for await line in child.outputLines { lines.append(line) }
        _ = await child.exit()
        return (lines.last ?? "", lines.dropLast().joined(separator: "\n"))
    }

    private func token(in page: String) throws -> String {
        let match = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/))
        return String(match.1)
    }

    /// Asks the question with a page, and lets `body` be the person at the browser.
    private func asking(
        _ question: Question, environment: Environment = .live(),
        _ body: (_ address: String, _ asking: Task<Answer, any Error>) async throws -> Void
    ) async throws {
        let loop = try EventLoop.start(name: "web test")
        let browser = Browser()
        let dialogue = WebDialogue(
            listener: LinuxLoopbackListener(loops: [loop]), opener: browser, environment: environment, tell: { _ in })
        let asking = Task { try await dialogue.ask(question) }
        try await body(try await browser.address.value(), asking)
        asking.cancel()
        _ = await asking.result
        loop.stop()
    }

    @Test(.rule("A046")) func `the page shows the question, and its form brings the answer, once`() async throws {
        try await asking(.consent()) { address, asking in
            let page = try await fetch(address)
            #expect(page.status == "200")
            for text in [
                "Notes", "com.example.notes", "7f3a 91c0 5e2d", "Notes Pro", "not verified", "Allow", "ends in",
            ] {
                #expect(page.body.contains(text), "\(text)")
            }
            let token = try token(in: page.body)
            let done = try await fetch(
                address, "--data-urlencode", "form_token=\(token)", "--data-urlencode", "choice=other", "-H",
                "Origin: null", "-H", "Sec-Fetch-Site: same-origin")
            #expect(done.status == "200")
            #expect(try await asking.value.choice == "other")
        }
    }

    @Test func `fields come back, and what was typed before a mistake does not leave the page wrong`() async throws {
        try await asking(.signIn(problem: "Wrong <b>password</b>.")) { address, asking in
            let page = try await fetch(address)
            #expect(page.body.contains("Wrong &lt;b&gt;password"))
            let token = try token(in: page.body)
            let wrong = try await fetch(
                address, "--data-urlencode", "form_token=\(token)", "--data-urlencode", "choice=no such",
                "--data-urlencode", "field_username=bob", "--data-urlencode", "field_password=pw")
            #expect(wrong.status == "400")
            let right = try await fetch(
                address, "--data-urlencode", "form_token=\(token)", "--data-urlencode", "choice=sign-in",
                "--data-urlencode", "field_username=bob", "--data-urlencode", "field_password=pä ss")
            #expect(right.status == "200")
            let answer = try await asking.value
            #expect(answer.fields["username"]?.unmasked == "bob" && answer.fields["password"]?.unmasked == "pä ss")
        }
    }

    @Test func `without path token, form token or the same site nothing is answered; with them it is`() async throws {
        try await asking(.consent()) { address, asking in
            let page = try await fetch(address)
            let token = try token(in: page.body)
            let origin = address.split(separator: "/").prefix(2).joined(separator: "//")
            #expect(try await fetch(origin + "/").status == "404")
            #expect(try await fetch(address + "x").status == "404")
            #expect(try await fetch(address, "--data-urlencode", "choice=allow").status == "403")
            let form = ["--data-urlencode", "choice=allow", "--data-urlencode", "form_token=\(token)"]
            #expect(try await fetch(address, form[0], form[1], form[2], form[3] + "x").status == "403")
            for header in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"] {
                let refused = try await fetch(address, form[0], form[1], form[2], form[3], "-H", header)
                #expect(refused.status == "403", "\(header)")
            }
            #expect(try await fetch(address, "--request", "DELETE").status == "405")
            let taken = try await fetch(address, form[0], form[1], form[2], form[3], "-H", "Origin: \(origin)")
            #expect(taken.status == "200")
            #expect(try await asking.value.choice == "allow")
        }
    }

    @Test func `the cancel button cancels`() async throws {
        try await asking(.consent()) { address, asking in
            let token = try token(in: try await fetch(address).body)
            _ = try await fetch(address, "--data-urlencode", "form_token=\(token)", "--data-urlencode", "cancel=yes")
            await #expect(throws: Cancellation(by: .user)) { try await asking.value }
        }
    }

    @Test func `a program reads the same question as JSON`() async throws {
        try await asking(.consent()) { address, asking in
            let body = try await fetch(address, "-H", "Accept: application/json").body
            let json = try JSONValue(parsing: body)
            #expect(json["kind"] == "consent")
            #expect(json["formToken"]?.stringValue != nil)
        }
    }

    @Test func `at the deadline the port closes`() async throws {
        let clock = ManualClock(at: LiveClock.now())
        let question = Question.consent(ending: clock.now + .seconds(60))
        try await asking(question, environment: .manual(clock)) { address, asking in
            clock.advance(by: .seconds(61))
            await #expect(throws: Fault(.deadlinePassed)) { try await asking.value }
            let status = try await fetch(address).status
            #expect(status == "000")
        }
    }

    @Test func `where nothing can open a page its address is told`() async throws {
        let loop = try EventLoop.start(name: "web test")
        let told = Promise<String>()
        let dialogue = WebDialogue(
            listener: LinuxLoopbackListener(loops: [loop]), opener: NoOpener(), environment: .live(),
            tell: { told.fulfil($0) })
        let asking = Task { try await dialogue.ask(.consent()) }
        #expect(try await told.value().contains("http://127.0.0.1:"))
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        loop.stop()
    }
}
