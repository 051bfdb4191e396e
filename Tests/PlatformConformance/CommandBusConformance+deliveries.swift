import Basics
import Platform

extension CommandBusConformance {
    static let deliveryChecks: [Check] = [
        (
            name: "an opened URL arrives unchanged, with its sender's unique name",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                let inbox = Inbox()
                _ = try await app.register(name("Open")) { await inbox.receive($0) }
                let reply = try await sender.register(name("OpenSender")) { _ in }
                let url = "app://auth/v1?message=%20%C3%A9+ü&\"'<>;long=" + String(repeating: "x", count: 20_000)
                try await sender.open(url, at: name("Open"), startIfNeeded: false)
                let delivery = try await inbox.first(1, within: environment)[0]
                try requireEqual(delivery.content, .open(url: url), "the URL")
                try requireEqual(delivery.sender?.uniqueName, reply.uniqueName, "the sender")
                try require(delivery.sender?.userID != nil, "the sender's user is known")
                await app.stop()
                await sender.stop()
            }
        ),
        (
            name: "a URL can be opened at a unique name",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                let inbox = Inbox()
                let registration = try await app.register(name("Unique")) { await inbox.receive($0) }
                try await sender.open("x:unique", at: registration.uniqueName, startIfNeeded: false)
                let deliveries = try await inbox.first(1, within: environment)
                try requireEqual(deliveries.map(\.content), [.open(url: "x:unique")], "what arrived")
                await app.stop()
                await sender.stop()
            }
        ),
        (
            name: "each of many opened URLs arrives once",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                let inbox = Inbox()
                _ = try await app.register(name("Many")) { await inbox.receive($0) }
                for number in 0..<50 {
                    try await sender.open("x:\(number)", at: name("Many"), startIfNeeded: false)
                }
                let urls = try await inbox.first(50, within: environment).map { delivery in
                    if case .open(let url) = delivery.content { url } else { "another member" }
                }
                try requireEqual(urls.sorted(), (0..<50).map { "x:\($0)" }.sorted(), "the URLs")
                await app.stop()
                await sender.stop()
            }
        ),
        (
            name: "an action arrives with its parameter, or without",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                let inbox = Inbox()
                _ = try await app.register(name("Action")) { await inbox.receive($0) }
                try await sender.activate("choose", parameter: "alice", at: name("Action"))
                _ = try await inbox.first(1, within: environment)
                try await sender.activate("show", parameter: nil, at: name("Action"))
                let deliveries = try await inbox.first(2, within: environment)
                try requireEqual(
                    deliveries.map(\.content),
                    [.action(name: "choose", parameter: "alice"), .action(name: "show", parameter: nil)],
                    "the actions")
                await app.stop()
                await sender.stop()
            }
        ),
        (
            name: "the sender's answer does not wait for the receiver's work",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                let release = Promise<Void>()
                let inbox = Inbox()
                _ = try await app.register(name("Busy")) { delivery in
                    try? await release.value()
                    await inbox.receive(delivery)
                }
                try await soon(environment, "the answers") {
                    try await sender.open("x:1", at: name("Busy"), startIfNeeded: false)
                    try await sender.open("x:2", at: name("Busy"), startIfNeeded: false)
                }
                try requireEqual(await inbox.deliveries.count, 0, "what the receiver has finished")
                release.fulfil()
                _ = try await inbox.first(2, within: environment)
                await app.stop()
                await sender.stop()
            }
        ),
        (
            name: "opening at a name that nobody owns is refused, whether it may be started or not",
            run: { connect, environment in
                let (app, sender) = (try await connect(), try await connect())
                for mayStart in [false, true] {
                    try await requireRefusal(.peerNotRunning, "open, may start: \(mayStart)") {
                        try await sender.open("x:y", at: name("Nobody"), startIfNeeded: mayStart)
                    }
                }
                try await requireRefusal(.peerNotRunning, "activate") {
                    try await sender.activate("show", parameter: nil, at: name("Nobody"))
                }
                let inbox = Inbox()
                let registration = try await app.register(name("Nobody")) { await inbox.receive($0) }
                try await sender.open("x:y", at: name("Nobody"), startIfNeeded: false)
                _ = try await inbox.first(1, within: environment)
                await registration.withdraw()
                try await requireRefusal(.peerNotRunning, "open after it withdrew") {
                    try await sender.open("x:y", at: name("Nobody"), startIfNeeded: false)
                }
                await app.stop()
                await sender.stop()
            }
        ),
    ]
}
