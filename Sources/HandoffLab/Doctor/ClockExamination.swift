import Basics
import LinuxPlatform
import Platform

/// The clock: commands live a minute, and two clocks may differ by half of one.
enum ClockExamination {
    private static let skew = Duration.seconds(30)
    /// No home is older than this program.
    private static let earliest = Timestamp(seconds: 1_767_225_600)

    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let now = patient.now
        if now < earliest {
            return [
                Finding(
                    .problem, "The clock says \(now), which was before this program was made.",
                    why: "Commands, tokens and certificates are judged by it.", next: "Set it: timedatectl set-ntp true"
                )
            ]
        }
        if patient.home.createdAt - now > skew {
            return [
                Finding(
                    .problem, "The clock says \(now), and the home was made at \(patient.home.createdAt).",
                    why: "It was set back: what was signed since then is of the future.",
                    next: "Set it: timedatectl set-ntp true")
            ]
        }
        let newest = TraceLog(folder: patient.home.layout.logs).entries.map(\.time).max()
        if let newest, newest - now > skew {
            return [
                Finding(
                    .warning, "The newest line of the logs is \((newest - now).shown) in the future.",
                    why: "The clock was set back; what was taken before may look like a replay or not yet valid.")
            ]
        }
        guard
            case .success(let response) = await ProviderCall.metadata(
                of: patient.issuer ?? patient.home.issuer, patient),
            let theirs = response.headers.single("Date").flatMap({ HTTPDate.parse($0, now: now) })
        else { return [Finding(.ok, "The clock says \(now); no provider is there to compare it with.")] }
        let difference = patient.now - theirs
        let distance = difference < .zero ? .zero - difference : difference
        guard distance > skew else { return [Finding(.ok, "The clock says \(now), as the provider's does.")] }
        return [
            Finding(
                distance > .seconds(60) ? .problem : .warning,
                "This clock and the provider's differ by \(distance.shown).",
                why: "Beyond 30 s commands and tokens are refused as expired or not yet valid.",
                next: "Set it: timedatectl set-ntp true")
        ]
    }
}
