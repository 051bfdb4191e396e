import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// The kill table: what becomes of a login when a process dies at a boundary.
    static let deaths = Command(
        "deaths", "kill each side at every boundary, and show what became of the login",
        details: """
            A boundary is a point where an app has just stored a transition. The process that comes to it is killed \
            (SIGKILL), and started again. Each row shows the simulation and real processes side by side: the login \
            completed once, or failed with a reason and the next one worked. Checked each time: no credential is \
            redeemed twice, no flow outlives its deadline, no account is lost. Anything else ends with exit code 6.
            """,
        examples: [
            .init("countersign deaths", "every boundary of both sides; about a minute"),
            .init("countersign deaths --simulated-only --seed 7", "in another order of events, within a second"),
            .init("countersign deaths --at broker.code-obtained", "one boundary"),
        ],
        options: [
            Option("--simulated-only", "leave the real processes out"),
            Option(
                "--flow", "FLOW", values: .oneOf(DeathScenario.allCases.map(\.rawValue)), "what is under way, alone"),
            Option(
                "--at", "BOUNDARY", values: .oneOf(DeathPoint.allBoundaries.map(\.rawValue)), "this boundary alone"),
            Option("--seed", "N", values: .number, "the order of events in the simulation; 1 by default"),
        ]
    ) { call in
        let scenarios = call.option("--flow").flatMap(DeathScenario.init).map { [$0] } ?? DeathScenario.allCases
        let boundary = call.option("--at").map { Boundary($0) }
        let points = try DeathPoint.all(in: scenarios).filter { boundary == nil || $0.boundary == boundary }
        guard !points.isEmpty else { throw call.invalid("--at", "this boundary is not passed in that flow") }
        let seed = try call.number("--seed") ?? 1
        var rows = try points.map { point in
            DeathTable.Row(point: point, outcomes: [.simulated: try DeathTable.simulated(point, seed: seed)])
        }
        if !call.flag("--simulated-only") {
            let output = call.output
            let outcomes = try await DeathTable.real(
                points, programs: try .besideThis(), environment: Environment.live(executor: nil)
            ) { point, outcome in
                output.talk("  \(point.scenario.rawValue)  \(point.boundary.rawValue)  \(outcome.words)")
            }
            for (index, outcome) in outcomes.enumerated() { rows[index].outcomes[.real] = outcome }
        }
        let table = DeathTable(rows: rows)
        call.output.result(table.json, text: table.text)
        guard table.breaches.isEmpty else {
            throw Fault(.deathBroke, table.breaches.joined(separator: "\n"))
        }
        return .done
    }
}

extension DeathTable {
    fileprivate var text: String {
        let kinds = StageKind.allCases.filter { kind in rows.contains { $0.outcomes[kind] != nil } }
        let cells = rows.map { row in
            [row.point.scenario.rawValue, row.point.side?.rawValue ?? "?", row.point.boundary.rawValue]
                + kinds.map { row.outcomes[$0]?.words ?? "" }
        }
        return Output.table(["flow", "side", "boundary"] + kinds.map(\.rawValue), cells)
            + "\n\n\(boundaryCount) boundaries, \(rows.count) deaths"
            + (kinds.count > 1 ? ", each in the simulation and with real processes" : "")
            + (breaches.isEmpty ? ": none broke anything." : ": \(breaches.count) broke something.")
    }
}
