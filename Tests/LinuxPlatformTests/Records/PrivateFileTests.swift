import Basics
import Glibc
import LinuxPlatform
import Testing

struct PrivateFileTests {
    private let folder: StorageFolder
    private let file: PrivateFile

    init() throws {
        folder = try StorageFolder()
        file = PrivateFile(path: folder.path(of: "secret"))
    }

    @Test func `what was written comes back, 0600, and nothing else is left in the folder`() throws {
        #expect(try file.read(atMost: 10) == nil)
        try file.write([1, 2, 3])
        try file.write([4])
        #expect(try file.read(atMost: 10) == [4])
        #expect(folder.mode(of: "secret") == 0o600)
        let directory = try PrivateDirectory(existing: folder.path)
        #expect(try directory.names() == ["secret"])
        #expect(!folder.exists(".draft-\(getpid())-1"))
        #expect(try file.remove())
        #expect(try !file.remove())
    }

    @Test func `a file up to the limit is read, one byte more is refused`() throws {
        try file.write([UInt8](repeating: 7, count: 100))
        #expect(try file.read(atMost: 100)?.count == 100)
        #expect(throws: Fault(.fileTooLarge)) { try file.read(atMost: 99) }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o610] as [mode_t])
    func `a file that others can reach is refused with the command that closes it`(_ mode: mode_t) throws {
        try folder.set("secret", to: [1], mode: mode)
        do {
            _ = try file.read(atMost: 10)
            Issue.record("not refused")
        } catch {
            #expect(error.code == .unsafePermissions)
            #expect(error.nextStep.hasSuffix("chmod 600 \(file.path)"))
        }
        chmod(file.path, 0o400)
        #expect(try file.read(atMost: 10) == [1])
    }

    @Test func `links, folders and pipes in the place of a file are refused`() throws {
        try folder.set("target", to: [1])
        symlink(folder.path(of: "target"), file.path)
        #expect(throws: Fault(.unsafePath)) { try file.read(atMost: 10) }
        #expect(throws: Fault(.unsafePath)) { try file.write([2]) }
        #expect(try folder.bytes(of: "target") == [1])
        unlink(file.path)
        mkdir(file.path, 0o700)
        #expect(throws: Fault(.unsafePath)) { try file.write([2]) }
        rmdir(file.path)
        mkfifo(file.path, 0o600)
        #expect(throws: Fault(.unsafePath)) { try file.read(atMost: 10) }
        unlink(file.path)
        try file.write([2])
        #expect(try file.read(atMost: 10) == [2])
    }

    @Test func `of many that create the same file one succeeds, and its content stays`() async throws {
        let file = file
        let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
            for number in 0..<16 as Range<UInt8> { group.addTask { try file.create([number]) ? number : nil } }
            return try await group.reduce(into: [UInt8]()) { if let winner = $1 { $0.append(winner) } }
        }
        #expect(winners.count == 1)
        #expect(try file.read(atMost: 10) == winners)
    }

    @Test func `a folder is made 0700 with those above it; a link to one is refused`() throws {
        let directory = try PrivateDirectory(creating: folder.path(of: "a/b/c"))
        #expect(folder.mode(of: "a") == 0o700)
        #expect(folder.mode(of: "a/b/c") == 0o700)
        #expect(try directory.names() == [])
        symlink(directory.path, folder.path(of: "link"))
        #expect(throws: Fault(.unsafePath)) { try PrivateDirectory(creating: folder.path(of: "link")) }
        chmod(directory.path, 0o701)
        #expect(throws: Fault(.unsafePermissions)) { try PrivateDirectory(existing: directory.path) }
    }

    @Test func `a path with a space or a quote is quoted in the command that closes it`() throws {
        try folder.set("it's mine", to: [1], mode: 0o644)
        do {
            _ = try PrivateFile(path: folder.path(of: "it's mine")).read(atMost: 10)
            Issue.record("not refused")
        } catch {
            #expect(error.nextStep.hasSuffix("chmod 600 '\(folder.path)/it'\\''s mine'"))
        }
    }
}
