import Basics
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct SchemeNameTests {
    @Test(
        .rule("A023"),
        arguments: [
            ("com.example.app://host/path", "com.example.app"), ("com.example.app:", "com.example.app"),
            ("Notes:/cb", "notes"), ("https://example.com/cb", "https"), ("NOTES", "notes"),
        ])
    func `an address where a scheme belongs names the scheme in it`(_ text: String, _ right: String) {
        let fault = #expect(throws: Fault(.schemeRefused)) { _ = try SchemeName.check(text) }
        #expect(fault?.nextStep == "Give it as: --scheme \(right)")
    }

    @Test(arguments: ["", "9notes", "no tes", "notes/", "né", "https", "mailto", "javascript", "a\nb", "-x"])
    func `what is no scheme of one's own is refused`(_ text: String) {
        #expect(throws: Fault(.schemeRefused)) { _ = try SchemeName.check(text) }
    }

    @Test(
        .rule("A196"),
        arguments: [
            ("com.example.notes", 0), ("org.my-app", 0), ("com.example.notes2", 1), ("com.example.a+b", 1),
            ("notes", 1),
            ("notes2", 2),
        ])
    func `what some openers get wrong, or another app may have, is remarked on`(_ text: String, _ count: Int) throws {
        #expect(try SchemeName.check(text).count == count)
    }
}
