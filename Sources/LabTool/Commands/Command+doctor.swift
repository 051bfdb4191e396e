import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// Looks for what is wrong with a home or the machine around it.
    static let doctor = Command(
        "doctor", "look for what is wrong with this home and the machine around it",
        details: """
            It looks at the home's files, stores, keys and certificates, its bus and who is on it, schemes, desktop \
            entries and services, the issuer's port, the clock, and which adversaries of docs/threat-model.md this \
            machine keeps out. It changes nothing. Exit 0: no problem; 5: at least one.
            """,
        examples: [
            .init("countersign doctor", "the home that programs without options use"),
            .init("countersign doctor --issuer https://idp.example", "another provider too"),
            .init("countersign doctor --quiet", "warnings and problems only"),
        ],
        options: [Option("--issuer", "URL", "another provider to look at")]
    ) { call in
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        let home = try Home.open(at: place.path, isDefault: place.isDefault)
        let doctor = await Doctor(
            Doctor.Patient(
                home: home, environment: .live(executor: nil), variables: call.environment,
                issuer: call.option("--issuer")))
        call.output.result(doctor.json, text: call.lines(of: doctor).joined(separator: "\n"))
        return doctor.count(.problem) == 0 ? .done : .environment
    }
}

extension Invocation {
    fileprivate func lines(of doctor: Doctor) -> [String] {
        let sections = doctor.sections.flatMap { section -> [String] in
            let findings = section.findings.filter { !output.isQuiet || $0.level >= .warning }
            return findings.isEmpty ? [] : [output.styled(section.name, .bold)] + findings.flatMap(lines) + [""]
        }
        let (problems, warnings) = (doctor.count(.problem), doctor.count(.warning))
        let counts = "\(problems) problem\(problems == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")"
        return sections + [problems == 0 && warnings == 0 ? "Nothing is wrong." : counts + "."]
    }

    private func lines(_ finding: Finding) -> [String] {
        let word = finding.level.rawValue
        let style: TextStyle =
            switch finding.level {
            case .ok: .good
            case .note: .quiet
            case .warning: .warning
            case .problem: .bad
            }
        let mark = "  " + output.styled(word, style) + String(repeating: " ", count: 9 - word.count)
        let pad = String(repeating: " ", count: 11)
        let texts = [finding.what, finding.why, finding.next.map { "next: \($0)" }].compactMap(\.self)
        return texts.enumerated().flatMap { index, text in
            Output.wrapped(text, width: 80 - pad.count).enumerated().map { line, words in
                (index == 0 && line == 0 ? mark : pad) + words
            }
        }
    }
}
