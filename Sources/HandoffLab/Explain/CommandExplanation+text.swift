package import Basics
import Handoff
import Platform

extension CommandExplanation {
    /// The explanation for people, for 80 columns.
    package func lines(unsafely: Bool) -> [String] {
        var lines = [heading, ""]
        if let decoded {
            if !isProven { lines += ["What it says of itself, which nobody has proved:"] }
            let envelope = decoded.envelope
            var rows = [
                ("from", envelope.sender.text + (senderName.map { isProven ? " (\($0))" : "" } ?? "")),
                ("to", envelope.receiver.text), ("flow", envelope.flow.text), ("jti", envelope.id.text),
            ]
            if let reply = envelope.inReplyTo { rows.append(("answers", reply.text)) }
            rows.append(("made", "\(envelope.issuedAt), \(distance(envelope.issuedAt))"))
            rows.append(("void", "\(envelope.expires), \(distance(envelope.expires))"))
            rows += fields(unsafely: unsafely).flatMap { name, value -> [(String, String)] in
                guard let members = value.objectValue else {
                    return [(name, value.stringValue ?? value.serializedText)]
                }
                return members.sorted { $0.key < $1.key }.map { member, value in
                    ("\(name).\(member)", value.stringValue ?? value.serializedText)
                }
            }
            let width = rows.map(\.0.count).max() ?? 0
            for (name, value) in rows {
                let pad = String(repeating: " ", count: width + 4)
                let texts = wrappedLines(value, width: 80 - width - 4)
                lines += texts.enumerated().map { index, text in
                    index == 0 ? "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)" : pad + text
                }
            }
        } else {
            lines += ["Nothing of it can be read here: it is encrypted, or broken."]
        }
        lines += ["", "Every rule in its order, as if the URL were pasted here:"] + checks.map(line)
        return lines + [""] + wrappedLines(verdict, width: 80)
    }

    private var heading: String {
        let form = decoded.map { $0.decryptedBy == nil ? "signed" : "signed and encrypted" }
        let whose = receiver.map { "for \($0.displayName) (\($0.id))" } ?? "for the scheme \(scheme)"
        return ([name + " " + whose] + [form].compactMap(\.self)).joined(separator: ", ")
    }

    private func line(_ check: Examination.Check) -> String {
        switch check.finding {
        case .kept: "  ok           \(check.rule)"
        case .notReached: "  not reached  \(check.rule)"
        case .broken(let fault):
            "  refused      \(check.rule) [\(fault.code.name)]" + (fault.detail.map { "\n               \($0)" } ?? "")
        }
    }

    /// Whether it would be taken, in a sentence.
    package var verdict: String {
        guard let refusal else {
            let asks = ["authrequest", "idpinit", "idpauthcodeinit"].contains(name)
            return "It would be taken." + (asks ? " Pasted or opened, it asks the person first." : "")
        }
        return "It would be refused, by \(refusal.rule) [\(refusal.fault.code.name)]: \(refusal.fault.text)"
    }

    private func distance(_ instant: Timestamp) -> String {
        let difference = instant - examinedAt
        return difference < .zero ? "\((.zero - difference).shown) ago" : "in \(difference.shown)"
    }
}

extension CommandExplanation {
    /// The explanation for programs.
    package func json(unsafely: Bool) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "command": .string(name), "scheme": .string(scheme), "accepted": .bool(refusal == nil),
            "transport": "opener", "proven": .bool(isProven),
            "checks": .array(checks.map(\.json)),
        ]
        members["receiver"] = receiver.map { .string($0.id) }
        if let refusal {
            members["rule"] = .string(refusal.rule)
            members["code"] = .string(refusal.fault.code.name)
            members["nextStep"] = .string(refusal.fault.nextStep)
        }
        if let envelope = decoded?.envelope {
            members["flow"] = .string(envelope.flow.text)
            members["encrypted"] = .bool(decoded?.decryptedBy != nil)
            var claims: [String: JSONValue] = [
                "iss": .string(envelope.sender.text), "aud": .string(envelope.receiver.text),
                "jti": .string(envelope.id.text), "iat": .integer(envelope.issuedAt.seconds),
                "exp": .integer(envelope.expires.seconds),
            ]
            claims["irt"] = envelope.inReplyTo.map { .string($0.text) }
            claims.merge(fields(unsafely: unsafely).map { ($0.name, $0.value) }) { own, _ in own }
            members["claims"] = .object(claims)
        }
        return members
    }
}

extension Examination.Check {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["rule": .string(rule)]
        switch finding {
        case .kept: members["result"] = "ok"
        case .notReached: members["result"] = "not reached"
        case .broken(let fault):
            members["result"] = "refused"
            members["code"] = .string(fault.code.name)
            members["text"] = .string(fault.text)
            members["detail"] = fault.detail.map(JSONValue.string)
        }
        return .object(members)
    }
}
