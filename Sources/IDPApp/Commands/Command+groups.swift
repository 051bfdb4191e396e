import Basics
import CommandLineInterface
import Handoff
import Platform

extension CommandLineInterface.Command {
    private static let group = Positional("GROUP", "the group's name")
    private static let app = Positional("APP", "the app's id")

    /// Lists the secret groups.
    static let groupsList = CommandLineInterface.Command(
        "groups list", "list the secret groups and their members",
        examples: [.init("countersign-idp groups list", "")]
    ) { call in
        try await Device.run(call) { device in
            let groups = try device.groups().sorted { $0.key < $1.key }
            let json = groups.map { name, members -> JSONValue in
                ["group": .string(name), "members": .array(members.map { .string($0.text) })]
            }
            let rows = groups.map { [$0, $1.map(\.text).joined(separator: " ")] }
            call.output.result(
                ["groups": .array(json)],
                text: rows.isEmpty ? "No groups." : Output.table(["group", "members"], rows))
            return .done
        }
    }

    /// Adds an app to a secret group.
    static let groupsAdd = CommandLineInterface.Command(
        "groups add", "make an app a member of a secret group, in which the keychain variant leaves its verifier",
        details: """
            Apps that run meet a group that is new to them at their next start; one that they have asked for before, at \
            once. A new member reads what is left for it from now on, and nothing that is there.
            """,
        examples: [.init("countersign-idp groups add handoff com.example.notes", "")], positionals: [group, app]
    ) { call in
        let name = try call.argument("GROUP")
        let id = try AppID(try call.argument("APP"))
        return try await Device.run(call) { device in
            try await device.add(id, to: name)
            call.output.result(
                ["group": .string(name), "added": .string(id.text)], text: "\(id) is a member of \(name).")
            return .done
        }
    }

    /// Removes an app from a secret group.
    static let groupsRemove = CommandLineInterface.Command(
        "groups remove",
        "end an app's membership in a secret group: a new group key begins, and what lay in it is dropped",
        examples: [.init("countersign-idp groups remove handoff com.example.notes", "")], positionals: [group, app]
    ) { call in
        let name = try call.argument("GROUP")
        let id = try AppID(try call.argument("APP"))
        return try await Device.run(call) { device in
            try await device.remove(id, from: name)
            call.output.result(
                ["group": .string(name), "removed": .string(id.text)], text: "\(id) is no member of \(name) any more.")
            return .done
        }
    }
}
