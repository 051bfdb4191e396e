import Glibc
import Testing

@testable import CommandLineInterface

struct Completion {
    @Test(arguments: Shell.allCases)
    func `every command and every option stands in the script of every shell`(shell: Shell) {
        let script = sample.completion(for: shell)
        for command in sample.visibleCommands {
            for word in command.path { #expect(script.contains(word)) }
            if !command.path.isEmpty {
                #expect(script.contains("\"\(command.name)\"") || script.contains("'\(command.name)'"))
            }
            for option in command.options + sample.options {
                let name = shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name
                #expect(script.contains(name), "\(option.name) of \(command.name)")
                for word in option.values.words { #expect(script.contains(word)) }
            }
        }
        #expect(!script.contains("lab-peer"))
    }

    @Test(arguments: Shell.allCases)
    func `the command prints the script`(shell: Shell) async {
        #expect(await run("completion \(shell.rawValue)").output == sample.completion(for: shell) + "\n")
    }

    @Test func `an unknown shell is refused`() async {
        #expect(await run("completion tcsh").status == 2)
    }

    /// What bash offers for the last of the words.
    private func bash(_ words: [String]) throws -> [String] {
        var template = Array("/tmp/completion-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let quoted = words.map(CompletionTable.quoted).joined(separator: " ")
        let script = """
            set -u
            sample() { [[ "$*" == "apps list" ]] && printf '%s\\n' other notes 'no$(echo x) y' >&1; }
            \(sample.completion(for: .bash))
            COMP_WORDS=(sample \(quoted)); COMP_CWORD=\(words.count)
            _sample
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bytes = Array(script.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        let pipe = try #require(popen("bash --norc \(path) 2>&1", "r"))
        defer { pclose(pipe) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { text += buffer.prefix(count) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["ap"], ["apps"]), (["apps", ""], ["add", "list"]), (["apps", "add", "--re"], ["--redirect", "--report"]),
        (["apps", "add", "--scope", "d"], ["device"]), (["apps", "add", "--scope", "=", "e"], ["everywhere"]),
        (["--color", ""], ["auto", "always", "never"]), (["--home", "/x", "apps", "l"], ["list"]),
        (["--app", "apps", "t"], ["token"]), (["token", "he"], ["header"]), (["apps", "list", "--re"], []),
        (["completion", "z"], ["zsh"]), (["--color", "=", "n"], ["never"]), (["help", "ex"], ["exit-codes"]),
        (["apps", "--", "x"], []), (["apps", "add", "--timeout", ""], []),
    ])
    func `bash offers what may follow, and nothing else`(words: [String], offered: [String]) throws {
        let found = try bash(words).filter { !offered.isEmpty || !$0.isEmpty }
        if words == ["apps", ""] {
            #expect(Array(found.prefix(2)) == offered)
        } else {
            #expect(found == offered)
        }
    }

    @Test func `bash offers what a command lists at that moment, and expands none of it`() throws {
        #expect(try bash(["token", "--account", "no"]) == ["none", "notes", "no\\$\\(echo\\ x\\)\\ y"])
        #expect(try bash(["token", "--account", "o"]) == ["other"])
    }

    @Test(arguments: [Shell.zsh, .fish]) func `other shells ask the same command`(shell: Shell) {
        #expect(sample.completion(for: shell).contains("(sample apps list 2> /dev/null)"))
    }

    @Test func `bash offers files where a file is wanted, and folders where a folder is`() throws {
        #expect(try bash(["apps", "add", "--exec", "/etc/host"]).contains("/etc/hostname"))
        #expect(try bash(["run", "/etc/host"]).contains("/etc/hostname"))
        #expect(try bash(["--home", "/et"]) == ["/etc"])
        #expect(try bash(["--home", "/etc/hostn"]).isEmpty)
    }
}
