import Basics
import Glibc
import Platform
import StrictYAML
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct ManifestOpenerTests {
    /// Opens a URL with a program that writes down its arguments, one to a line, and returns them.
    private func words(opening url: String, with arguments: [String]) async throws -> [String] {
        try await BusHome.with { home in
            let program = home.path + "/opener"
            let note = home.path + "/note"
            let file = open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
            let text = Array("#!/bin/sh\nfor word; do echo \"<$word>\"; done > \(note)\n".utf8)
            _ = write(file, text, text.count)
            close(file)
            try await ManifestOpener(command: [program] + arguments, environment: .live()).open(url)
            return await BusHome.run("cat", note).output.split(separator: "\n").map(String.init)
        }
    }

    @Test(
        .rule("A008"),
        arguments: [
            "app://x/y?a=b&c=$(true);d`true`|e>f", "app://x/?a=\"b\"&c=*&d=~&e=#f", "app://x/?a=--help&b=\\",
        ])
    func `a URL is one argument whatever is in it`(_ url: String) async throws {
        #expect(try await words(opening: url, with: ["shell", "{url}", "-x"]) == ["<shell>", "<\(url)>", "<-x>"])
    }

    @Test func `in an argument of its manifest's quoting a URL cannot end the quotation`() async throws {
        #expect(
            try await words(opening: "app://x/?a='b'&c=d", with: ["host", "xdg-open '{url}'"])
                == ["<host>", "<xdg-open 'app://x/?a=%27b%27&c=d'>"])
    }

    @Test func `what is no URL is not opened, and a program that fails is told`() async throws {
        let opener = ManifestOpener(command: ["/bin/false", "{url}"], environment: .live())
        await #expect(throws: Fault(.noOpener)) { try await opener.open("app://x") }
        for odd in ["--help", "x:a b", "", "x:é"] {
            await #expect(throws: Fault(.noOpener)) {
                try await ManifestOpener(command: ["/bin/true", "{url}"], environment: .live()).open(odd)
            }
        }
        await #expect(throws: Fault(.programMissing)) {
            try await ManifestOpener(command: ["/nowhere/opener", "{url}"], environment: .live()).open("app://x")
        }
    }

    @Test(arguments: [
        ("[adb, shell, am, start, -d, \"{url}\"]", true), ("[ssh, host, \"xdg-open '{url}'\"]", true),
        ("[adb]", false), ("[adb, \"{url}\", \"{url}\"]", false), ("[adb, \"{url}{url}\"]", false),
        ("[\"{url}\"]", false), ("[\"{url}\", \"{url}\"]", false), ("[]", false), ("adb {url}", false),
        ("[adb, \"{URL}\"]", false),
    ])
    func `a manifest's opener is an argument list with the URL in it exactly once`(_ text: String, _ isRight: Bool)
        throws
    {
        let yaml = Array("id: com.example.notes\nname: Notes\nrole: client\nopener: \(text)\n".utf8)
        if isRight {
            let manifest = try ManifestFile.parse(yaml, file: "app.yaml")
            #expect(manifest.opener.count > 1)
            #expect(try ManifestFile.parse(Array(ManifestFile.text(manifest).utf8), file: "app.yaml") == manifest)
        } else {
            let fault = #expect(throws: Fault(.invalidYAML)) { _ = try ManifestFile.parse(yaml, file: "app.yaml") }
            #expect(fault?.text.contains("app.yaml:4") == true, "\(fault?.text ?? "")")
        }
    }
}
