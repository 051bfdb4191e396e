import Basics
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct SchemeConflictsTests {
    @Test(.rule("A041")) func `a conflict is kept, settled anew, and ends with the last but one app`() async throws {
        let fixture = try HomeFixture()
        let conflicts = SchemeConflicts(try await fixture.make())
        #expect(try conflicts.all() == [])
        let apps = ["com.example.a", "com.example.b", "com.example.c"]
        var conflict = SchemeConflicts.Conflict(scheme: "notes", apps: apps, opens: apps[0], policy: .first)
        try conflicts.note(conflict)
        #expect(try conflicts.all() == [conflict])
        (conflict.opens, conflict.policy) = (apps[2], .newest)
        try conflicts.note(conflict)
        #expect(try conflicts.all() == [conflict])
        // Who leaves hands the scheme to the first of the others.
        try conflicts.remove(apps[2], except: "notes")
        #expect(try conflicts.all() == [conflict])
        try conflicts.remove(apps[2])
        #expect(try conflicts.all().map(\.opens) == [apps[0]])
        try conflicts.remove(apps[1])
        #expect(try conflicts.all() == [])
        #expect(try PrivateFile(path: fixture.path + "/schemes.json").read(atMost: 100) == nil)
    }
}
