package import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform
import StrictYAML

extension ErrorCode {
    package static let demoFailed = ErrorCode(
        "demo-failed", .failed, "The demonstration did not end in an account.",
        next: "Keep the home and read its logs: countersign demo --keep DIR")
    package static let benchFailed = ErrorCode(
        "bench-failed", .failed, "A part of the benchmark could not be measured.", next: "Run it again with -v.")
    package static let generatedPartMissing = ErrorCode(
        "generated-part-missing", .invalidFile, "A page lacks the marks of a part that is made from the code.",
        next: "Put the two marks where the part belongs, and run scripts/generate again.")
    package static let unknownActor = ErrorCode(
        "unknown-actor", .invalidFile, "A name stands for nobody who takes part.",
        next: "Name one of the actors, in the part that fits the step.")
    package static let actorAway = ErrorCode(
        "actor-away", .invalidFile, "An app that was stopped is to do something.",
        next: "Start it again in a step before this one.")
    package static let nothingCaptured = ErrorCode(
        "nothing-captured", .failed, "Nothing of that kind has happened yet, so there is nothing to use.",
        next: "Put the step that makes it happen before this one.")
    package static let meddlingCommand = ErrorCode(
        "meddling-command", .invalidFile, "With that command no client can meddle in the flow of another.",
        next: "Take one of cancel, error, authack and logoutack.")
    package static let stageFailed = ErrorCode(
        "stage-failed", .environment, "A program of the stage could not do what every script needs.",
        next: "Look at what it said; countersign demo --keep DIR shows the same with its logs kept.")
    package static let deathBroke = ErrorCode(
        "death-broke-invariant", .breach, "A process that was killed left something behind that must never be.",
        next: "Run it again for that boundary alone: countersign deaths --at BOUNDARY")

    package static let scriptMissing = ErrorCode(
        "script-missing", .invalidFile, "There is no script to play.",
        next: "Name a file or a folder; docs/guides/scripts.md shows how one is written.")
    package static let scriptFailed = ErrorCode(
        "script-failed", .failed, "A step did not go as its script has it.",
        next: "Play it again with -v, which shows what every app wrote.")
    package static let scriptBroke = ErrorCode(
        "script-broke-invariant", .breach, "Something came of a script that must never be.",
        next: "Play it again with -v and the seed that is named; report it with both.")

    package static let noSuchFlow = ErrorCode(
        "no-such-flow", .failed, "The logs of this home know no such flow.",
        next: "See which there are: countersign trace list")
    package static let ambiguousFlow = ErrorCode(
        "ambiguous-flow", .usage, "Several flows begin like that.",
        next: "Give more of the id: countersign trace list")
    package static let notACommand = ErrorCode(
        "not-a-command", .invalidFile, "The text is neither a URL command nor an error code.",
        next: "Give {scheme}://oauth2/v1.0/{command}?command={token}, or a code: countersign help errors")

    /// All codes of this module.
    package static let lab: [ErrorCode] = [
        .demoFailed, .benchFailed, .generatedPartMissing, .unknownActor, .actorAway, .nothingCaptured,
        .meddlingCommand, .stageFailed, .deathBroke, .scriptMissing, .scriptFailed, .scriptBroke, .noSuchFlow,
        .ambiguousFlow, .notACommand,
    ]

    /// The codes of every module that the laboratory knows.
    package static let ofAllModules: [ErrorCode] =
        basics + strictYAML + jose + openIDConnect + handoff + platform + identityClient + identityBroker
        + openIDProvider + linuxPlatform + lab
}
