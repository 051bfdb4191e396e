import Testing

@testable import LinuxPlatform

@Suite struct MimeAppsListTests {
    private static let type = "x-scheme-handler/notes"

    private static func setting(_ text: String) -> String {
        var list = MimeAppsList(text)
        list.setDefault("a.desktop", for: type)
        return list.text
    }

    private static func removing(_ text: String) -> String {
        var list = MimeAppsList(text)
        list.remove("a.desktop", for: type)
        return list.text
    }

    @Test(arguments: [
        "", "[Default Applications]\ntext/html=b.desktop\n",
        "# mine\n[Added Associations]\ntext/html=c.desktop;\n\n[Default Applications]\n\(type)=b.desktop;c.desktop;\n",
        "[Default Applications]\n\(type)=b.desktop;\ntext/html=b.desktop;\n\n[Removed Associations]\nx=y;\n",
    ])
    func `what is set and removed again leaves every byte as it was`(_ text: String) {
        let set = Self.setting(text)
        #expect(MimeAppsList(set).defaultApps(for: Self.type).first == "a.desktop")
        #expect(Self.removing(set) == text)
        // Twice is as good as once.
        #expect(Self.setting(set) == set)
    }

    @Test func `the former apps stay behind the new default, and other groups do not count`() {
        let text = "[Added Associations]\n\(Self.type)=x.desktop;\n[Default Applications]\n\(Self.type)=b.desktop\n"
        #expect(MimeAppsList(text).defaultApps(for: Self.type) == ["b.desktop"])
        #expect(MimeAppsList(Self.setting(text)).defaultApps(for: Self.type) == ["a.desktop", "b.desktop"])
        #expect(MimeAppsList(text).defaultApps(for: "x-scheme-handler/note") == [])
    }

    @Test func `an app that the user had taken away may open the type again`() {
        let text = "[Removed Associations]\n\(Self.type)=a.desktop;b.desktop;\n"
        let set = Self.setting(text)
        #expect(set.contains("[Removed Associations]\n\(Self.type)=b.desktop;\n"))
    }
}
