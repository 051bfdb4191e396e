import Basics
import CLinux
import Glibc
import Platform

/// The mode of a terminal while a prompt has it, and how it is put back.
///
/// Signals stay on: an interrupt is the program's, not the prompt's. A signal that ends the program puts the mode back
/// first; everything about that is in this one file, because the C side keeps its state for each file that uses it.
struct TerminalMode {
    enum Kind {
        /// Each key at once, nothing shown by the terminal itself.
        case keys
        /// Whole lines, edited by the terminal.
        case lines
        /// Whole lines that are not shown.
        case hiddenLines
    }

    private let descriptor: Int32
    private let before: termios

    /// Takes the terminal; what was typed ahead is thrown away, so that it cannot answer a question not yet seen.
    init(_ kind: Kind, of descriptor: Int32) throws(Fault) {
        self.descriptor = descriptor
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else {
            throw Fault(.interactionRequired, "There is no terminal to ask at.")
        }
        before = mode
        switch kind {
        case .keys: mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        case .lines: mode.c_lflag |= tcflag_t(ICANON | ECHO)
        case .hiddenLines:
            mode.c_lflag |= tcflag_t(ICANON)
            mode.c_lflag &= ~tcflag_t(ECHO)
        }
        mode.c_lflag |= tcflag_t(ISIG)
        mode.c_iflag |= tcflag_t(ICRNL)
        withUnsafeMutableBytes(of: &mode.c_cc) { characters in
            if kind == .keys {
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            // A stopped program would leave the terminal as it is now. 0 turns the character off.
            characters[Int(VSUSP)] = 0
        }
        withUnsafePointer(to: before) { countersign_terminal_guard(descriptor, $0) }
        tcsetattr(descriptor, TCSAFLUSH, &mode)
    }

    /// Puts the terminal back.
    func restore() {
        var mode = before
        tcsetattr(descriptor, TCSADRAIN, &mode)
        countersign_terminal_unguard()
    }
}
