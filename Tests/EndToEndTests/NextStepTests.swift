import Basics
import CommandLineInterface
import Testing

@testable import ClientApp
@testable import IDPApp
@testable import LabTool

/// What an error tells the reader to type has to be there to be typed.
@Suite struct `Next steps` {
    private static let programs = [IDPProgram.program, ClientProgram.program, LabProgram.program]

    @Test(arguments: ErrorReference.codes)
    func `name only commands that exist`(_ code: ErrorCode) throws {
        for program in Self.programs {
            let words = code.nextStep.split(whereSeparator: { " :;,()".contains($0) }).map(String.init)
            for (index, word) in words.enumerated() where word == program.name {
                let rest = Array(words.dropFirst(index + 1))
                // A program alone, or one that is followed by prose, names no command.
                guard let first = rest.first, first.allSatisfy({ $0.isLowercase || $0 == "-" }) else { continue }
                let named = program.commands.contains { command in
                    !command.path.isEmpty && rest.starts(with: command.path)
                }
                #expect(named, "\(code.name) names \(program.name) \(rest.prefix(2).joined(separator: " "))")
            }
        }
    }

    @Test func `no two codes share a name`() {
        let names = ErrorReference.codes.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
