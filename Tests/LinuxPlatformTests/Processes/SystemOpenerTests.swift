import Basics
import Glibc
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct SystemOpenerTests {
    /// A folder with an `xdg-open` that writes down its arguments.
    private func withTool(
        _ script: String, _ body: (_ variables: [String: String], _ note: String) async throws -> Void
    ) async throws {
        try await BusHome.with { home in
            let tool = home.path + "/xdg-open"
            let file = open(tool, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
            let text = Array("#!/bin/sh\n\(script)\n".utf8)
            _ = write(file, text, text.count)
            close(file)
            try await body(["PATH": home.path, "DISPLAY": ":0", "NOTE": home.path + "/note"], home.path + "/note")
        }
    }

    @Test func `without a display or a tool nothing can be opened`() async throws {
        try await withTool("exit 0") { variables, _ in
            for (name, value) in [("DISPLAY", ""), ("PATH", "/nowhere")] {
                var lacking = variables
                lacking[name] = value
                let opener = SystemOpener(variables: lacking, environment: .live())
                #expect(!opener.isAvailable)
                await #expect(throws: Fault(.noOpener)) { try await opener.open("https://example.org/") }
            }
            let opener = SystemOpener(variables: variables, environment: .live())
            #expect(opener.isAvailable)
            try await opener.open("https://example.org/")
        }
    }

    @Test(.rule("A008")) func `the address is one argument, and never an option`() async throws {
        try await BusHome.with { home in
            let note = home.path + "/note"
            try await withTool("for word; do echo \"<$word>\"; done > \(note)") { variables, _ in
                let opener = SystemOpener(variables: variables, environment: .live())
                let url = "app://x/y?a=b&c='$(true);d"
                try await opener.open(url)
                #expect(await BusHome.run("cat", note).output == "<\(url)>")
                for odd in ["--help", "no-scheme", "x:a b", "x:\n", "", "x:é"] {
                    await #expect(throws: Fault(.noOpener), "\(odd)") { try await opener.open(odd) }
                }
            }
        }
    }

    @Test(.rule("A197")) func `a tool that fails is told`() async throws {
        try await withTool("exit 4") { variables, _ in
            let opener = SystemOpener(variables: variables, environment: .live())
            await #expect(throws: Fault(.noOpener)) { try await opener.open("https://example.org/") }
        }
    }
}
