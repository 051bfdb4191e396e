import Basics
import Glibc

/// The pipes between this process and one child.
struct ChildPipes: Sendable {
    /// `nil` where the child reads an empty input.
    let input: Pipe?
    let output: Pipe
    let error: Pipe

    init(withInput: Bool) throws(Fault) {
        guard let output = Pipe.make() else { throw ChildPipes.noneLeft }
        guard let error = Pipe.make() else {
            output.closeBoth()
            throw ChildPipes.noneLeft
        }
        let input = withInput ? Pipe.make() : nil
        guard !withInput || input != nil else {
            output.closeBoth()
            error.closeBoth()
            throw ChildPipes.noneLeft
        }
        (self.input, self.output, self.error) = (input, output, error)
        Pipe.makeNonBlocking(output.read)
        Pipe.makeNonBlocking(error.read)
        if let input { Pipe.makeNonBlocking(input.write) }
    }

    private static var noneLeft: Fault { Fault(.programNotStarted, detail: "no descriptors left") }

    func closeChildEnds() {
        if let input { close(input.read) }
        close(output.write)
        close(error.write)
    }

    func closeAll() {
        input?.closeBoth()
        output.closeBoth()
        error.closeBoth()
    }
}
