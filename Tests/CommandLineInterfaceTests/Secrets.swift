import CommandLineInterface
import Glibc
import Testing

struct Secrets {
    private let input = FixedInput(
        files: [
            "pw": InputFile(bytes: Array("hunter2\n".utf8), othersMayRead: false),
            "open": InputFile(bytes: Array("hunter2\r\n".utf8), othersMayRead: true),
            "empty": InputFile(bytes: [0x0A], othersMayRead: false),
            "binary": InputFile(bytes: [0xFF], othersMayRead: false),
        ], standardInput: "  from input  \n")

    @Test func `an option that ends in -file takes a path, or a dash for standard input`() async {
        #expect(await run("token --password-file pw", input: input).output == "secret of 7\n")
        #expect(await run("token --password-file -", input: input).output == "secret of 14\n")
    }

    @Test func `any other secret is pointed to by an at sign or a dash`() async {
        #expect(await run("token --credential @pw", input: input).output == "secret of 7\n")
        #expect(await run("token --credential -", input: input).output == "secret of 14\n")
    }

    @Test func `a secret on the command line is refused and not repeated`() async {
        let ending = await run("token --credential hunter2", input: input)
        #expect(ending.status == 2)
        #expect(ending.error.contains("error[secret-in-argument] --credential"))
        #expect(!(ending.error + ending.output).contains("hunter2"))
    }

    @Test func `a file that others may read is remarked on and used`() async {
        let ending = await run("token --password-file open", input: input)
        #expect(ending.output == "secret of 7\n")
        #expect(ending.error.contains("open can be read by other users"))
        #expect(await run("token --password-file pw", input: input).error.isEmpty)
    }

    @Test(arguments: ["missing", "empty", "binary"])
    func `a secret that cannot be read ends with exit code 5`(name: String) async {
        let ending = await run("token --password-file \(name)", input: input)
        #expect(ending.status == 5)
        #expect(ending.error.hasPrefix("error[unreadable-input] \(name)"))
    }

    @Test func `standard input is given to one reader only`() async {
        #expect(await run("token --password-file - -", input: input).status == 2)
    }

    @Test func `a text stands for itself, or points to a file or standard input`() async {
        #expect(await run("token bare", input: input).output == "text bare\n")
        #expect(await run("token @pw", input: input).output == "text hunter2\n")
        #expect(await run("token -", input: input).output == "text from input\n")
    }

    @Test func `real files are read, with who else may read them`() throws {
        var template = Array("/tmp/cli-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        #expect(write(descriptor, "abc", 3) == 3)
        let source = StandardInput()
        #expect(try source.readFile(path, limit: 3).bytes == Array("abc".utf8))
        #expect(try source.readFile(path, limit: 3).othersMayRead == false)
        #expect(throws: (any Error).self) { try source.readFile(path, limit: 2) }
        fchmod(descriptor, 0o640)
        #expect(try source.readFile(path, limit: 3).othersMayRead)
        close(descriptor)
        #expect(throws: (any Error).self) { try source.readFile("/tmp", limit: 10) }
        #expect(throws: (any Error).self) { try source.readFile(path + "-missing", limit: 10) }
    }
}
