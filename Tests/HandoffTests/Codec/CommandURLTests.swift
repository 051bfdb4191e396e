import Basics
import Handoff
import TestSupport
import Testing

/// What becomes of a URL before anything in it is decoded.
enum Fate: Equatable, CustomStringConvertible {
    case read
    case notClaimed
    case refused(ErrorCode)

    var description: String {
        switch self {
        case .read: "read"
        case .notClaimed: "not claimed"
        case .refused(let code): code.name
        }
    }
}

@Suite struct CommandURLTests {
    private static let good = "notes://oauth2/v1.0/idpinit?command=aa.bb.cc"

    private func fate(_ url: String, schemes: [String] = ["notes"]) throws -> Fate {
        do throws(Fault) {
            let read = try CommandURL(url, schemes: schemes)
            #expect(CommandURL.isClaimed(url, schemes: schemes) == (read != nil))
            return read == nil ? .notClaimed : .read
        } catch {
            #expect(CommandURL.isClaimed(url, schemes: schemes))
            return .refused(error.code)
        }
    }

    @Test func `the one exact shape is read`() throws {
        let url = try #require(try CommandURL(Self.good, schemes: ["mail", "notes"]))
        #expect(url.scheme == "notes")
        #expect(url.name == .idpinit)
        #expect(url.token == "aa.bb.cc")
        #expect(url.text == Self.good)
    }

    @Test(.rule("T1"), arguments: CommandName.allCases)
    func `every command has its path`(_ name: CommandName) throws {
        let text = "notes://oauth2/v1.0/\(name.rawValue)?command=a"
        #expect(try CommandURL(text, schemes: ["notes"])?.name == name)
    }

    @Test(
        .rule("S13", "T1", "T5", "A012", "A200"),
        arguments: [
            "", "notes", "notes:", "notes://", "notes:/oauth2/v1.0/idpinit?command=a", "http://test/test",
            "myapp://test/test/code=666", "notes://test/test/code=666", "NOTES://oauth2/v1.0/idpinit?command=a",
            "Notes://oauth2/v1.0/idpinit?command=a", " notes://oauth2/v1.0/idpinit?command=a",
            "xnotes://oauth2/v1.0/idpinit?command=a", "notesx://oauth2/v1.0/idpinit?command=a",
            "notes://OAUTH2/v1.0/idpinit?command=a", "notes://oauth2.evil/v1.0/idpinit?command=a",
            "notes://oauth2%2Fv1.0/idpinit?command=a", "notes://user@oauth2/v1.0/idpinit?command=a",
            "notes://user:word@oauth2/v1.0/idpinit?command=a", "notes://@oauth2/v1.0/idpinit?command=a",
            "notes://oauth2:443/v1.0/idpinit?command=a", "notes://oauth2:/v1.0/idpinit?command=a",
            "notes://oauth2/idpinit?command=a", "notes://oauth2/v1/idpinit?command=a",
            "notes://oauth2/v1.1/idpinit?command=a",
            "notes://oauth2/V1.0/idpinit?command=a", "notes://oauth2/v2.0/idpinit?command=a",
            "notes://oauth2//v1.0/idpinit?command=a", "notes://oauth2/v1.0//idpinit?command=a",
            "notes://oauth2/v1.0/./idpinit?command=a", "notes://oauth2/v1.0/x/../idpinit?command=a",
            "notes://oauth2/v1.0/../v1.0/idpinit?command=a", "notes://oauth2/v1.0/idpinit/?command=a",
            "notes://oauth2/v1.0/idpinit/..?command=a", "notes://oauth2/v1.0/idpinit;x?command=a",
            "notes://oauth2/v1.0/idp%69nit?command=a", "notes://oauth2/v1.0/IDPINIT?command=a",
            "notes://oauth2/v1.0/idpInit?command=a", "notes://oauth2/v1.0/idpini?command=a",
            "notes://oauth2/v1.0/idpinitx?command=a", "notes://oauth2/v1.0/?command=a",
            "notes://oauth2/v1.0/idpinit&command=a",
            "notes://oauth2/v1.0/idpinit\u{301}?command=a", "notes://oauth2/v1.0/\u{301}idpinit?command=a",
            "notes://oauth2/v1.0/idpinit\0?command=a", "notes://oauth2/v1.0/idpinit ?command=a",
            "notes\u{200B}://oauth2/v1.0/idpinit",
        ])
    func `another scheme, host, version or name is not ours to claim`(_ url: String) throws {
        #expect(try fate(url) == .notClaimed)
    }

    @Test(
        .rule("S11", "S12", "A003", "A026", "A027"),
        arguments: [
            "notes://oauth2/v1.0/idpinit", "notes://oauth2/v1.0/idpinit?", "notes://oauth2/v1.0/idpinit?command",
            "notes://oauth2/v1.0/idpinit?command=", "notes://oauth2/v1.0/idpinit?Command=a",
            "notes://oauth2/v1.0/idpinit?COMMAND=a", "notes://oauth2/v1.0/idpinit?code=a",
            "notes://oauth2/v1.0/idpinit?command==a",
            "notes://oauth2/v1.0/idpinit?command=a&", "notes://oauth2/v1.0/idpinit?command=a&command=b",
            "notes://oauth2/v1.0/idpinit?command=a&x=b", "notes://oauth2/v1.0/idpinit?x=b&command=a",
            "notes://oauth2/v1.0/idpinit?&command=a", "notes://oauth2/v1.0/idpinit?command=a;x",
            "notes://oauth2/v1.0/idpinit?command=a#", "notes://oauth2/v1.0/idpinit?command=a#b",
            "notes://oauth2/v1.0/idpinit#?command=a", "notes://oauth2/v1.0/idpinit#command=a",
            "notes://oauth2/v1.0/idpinit??command=a", "notes://oauth2/v1.0/idpinit?%63ommand=a",
            "notes://oauth2/v1.0/idpinit?command%3Da", "notes://oauth2/v1.0/idpinit?command=%61",
            "notes://oauth2/v1.0/idpinit?command=a%00", "notes://oauth2/v1.0/idpinit?command=a\0",
            "notes://oauth2/v1.0/idpinit?command=a ", "notes://oauth2/v1.0/idpinit?command=a\n",
            "notes://oauth2/v1.0/idpinit?command=a\r\n", "notes://oauth2/v1.0/idpinit?command=a+b",
            "notes://oauth2/v1.0/idpinit?command=a/b", "notes://oauth2/v1.0/idpinit?command=a=",
            "notes://oauth2/v1.0/idpinit?command=a\u{301}", "notes://oauth2/v1.0/idpinit?\u{301}command=a",
            "notes://oauth2/v1.0/idpinit?command\u{301}=a", "notes://oauth2/v1.0/idpinit?command=\u{301}a",
            "notes://oauth2/v1.0/idpinit?command=\u{212A}", "notes://oauth2/v1.0/idpinit?command=ａ",
        ])
    func `ours with anything but one item named command is claimed and refused`(_ url: String) throws {
        #expect(try fate(url) == .refused(.commandShape))
    }

    @Test func `a scheme is compared byte by byte`() throws {
        // U+212A KELVIN SIGN is canonically equivalent to K, and equal to it for Swift's ==.
        #expect(try fate("\u{212A}ey://oauth2/v1.0/idpinit?command=a", schemes: ["Key"]) == .notClaimed)
        #expect(try fate("Key://oauth2/v1.0/idpinit?command=a", schemes: ["Key"]) == .read)
        #expect(try fate("a.b+c-1://oauth2/v1.0/idpinit?command=a", schemes: ["a.b+c-1"]) == .read)
    }

    @Test(.rule("S32", "A155")) func `a URL of 8 KiB is read and one byte more is refused`() throws {
        let start = "notes://oauth2/v1.0/idpinit?command="
        let longest = start + String(repeating: "a", count: 8_192 - start.utf8.count)
        #expect(try fate(longest) == .read)
        #expect(try fate(longest + "a") == .refused(.commandTooLarge))
    }

    @Test func `a large URL that is not ours is left alone`() throws {
        #expect(try fate("mail" + Self.good + String(repeating: "a", count: 100_000)) == .notClaimed)
        #expect(try fate("notes://oauth2/v1.0/" + String(repeating: "a", count: 100_000)) == .notClaimed)
    }

    @Test(.rule("S29"))
    func `no character of a URL can be changed before the token without it being refused or left alone`() throws {
        let sound = try Samples.forge(.ping)
        let url = Array(try sound.url().utf8)
        let start = "idp://oauth2/v1.0/ping?command=".utf8.count
        #expect(try sound.refusal() == nil)
        for place in 0..<start {
            for byte in UInt8(0x20)...0x7E where byte != url[place] {
                var changed = url
                changed[place] = byte
                let text = String(decoding: changed, as: UTF8.self)
                let isTaken =
                    (try? World.idp.receiver().verify(text, now: World.now, registry: { World.registry($0) })) ?? nil
                #expect(isTaken == nil, "\(text.prefix(start))")
            }
        }
    }

    @Test(.rule("A161")) func `a printed URL command hides its token`() throws {
        let url = try #require(try CommandURL(Self.good, schemes: ["notes"]))
        for text in ["\(url)", String(reflecting: url)] { #expect(!text.contains("aa.bb")) }
    }
}
