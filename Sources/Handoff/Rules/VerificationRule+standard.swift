import Basics
import JOSE

extension VerificationRule {
    /// A personal command is encrypted, and no other is.
    package static let nesting = VerificationRule(name: "nesting", code: .commandNesting) { command, _ in
        if command.url.name.isPersonal, command.decryptedBy == nil { return "a personal command came unencrypted" }
        if !command.url.name.isPersonal, command.decryptedBy != nil { return "this command is never encrypted" }
        return nil
    }

    /// The signed part's header is exactly `typ`, `alg` and `kid`.
    package static let header = VerificationRule(name: "header", code: .commandHeader) { command, _ in
        let header = command.signedPart.header
        guard Set(header.keys) == ["typ", "alg", "kid"] else { return "other members than typ, alg and kid" }
        guard sameBytes(header["typ"]?.stringValue, Envelope.type) else { return "typ is not idp-command+jwt" }
        return nil
    }

    /// The encryption's header is exactly `alg`, `enc`, `kid`, `epk`, `apu`, `apv` and `cty`, and names both apps.
    package static let encryptionHeader = VerificationRule(
        name: "encryption-header", code: .undecryptable
    ) { command, _ in
        guard let header = command.encryptionHeader else { return nil }
        let isExact =
            Set(header.keys) == ["alg", "enc", "kid", "epk", "apu", "apv", "cty"]
            && sameBytes(header["cty"]?.stringValue, Envelope.type)
            && sameBytes(header["apu"]?.stringValue, partyInfo(command.envelope.sender))
            && sameBytes(header["apv"]?.stringValue, partyInfo(command.envelope.receiver))
        // One code and one text, as for every failure of decryption.
        return isExact ? nil : Violation("")
    }

    /// The sender is registered.
    package static let sender = VerificationRule(name: "sender", code: .unknownSender) { command, context in
        context.sender?.id == command.envelope.sender ? nil : "no such app in the registry"
    }

    /// The signature holds under a key that is pinned for this sender, by the algorithm pinned with it.
    package static let signature = VerificationRule(name: "signature", code: .commandSignature) { command, context in
        guard let key = context.sender?.commandKey(id: command.signedPart.keyID, at: context.now) else {
            return Violation("the kid is not pinned under this sender, or no more", code: .unknownKey)
        }
        guard (try? command.signedPart.verified(by: key)) != nil else { return "the signature does not hold" }
        return nil
    }

    /// The signed part names the key that decrypted it, so that nobody can seal it again to somebody else.
    package static let recipientKey = VerificationRule(
        name: "recipient-key", code: .commandRecipientKey
    ) { command, _ in
        sameBytes(command.envelope.encryptionKeyID, command.decryptedBy?.value)
            ? nil : "ekid is not the key that decrypted"
    }

    /// The command is for this app.
    package static let audience = VerificationRule(name: "audience", code: .commandAudience) { command, context in
        command.envelope.receiver == context.receiver ? nil : "aud is another app"
    }

    /// The sender's role may send this command, and to this role.
    package static let role = VerificationRule(name: "role", code: .commandRole) { command, context in
        guard let sender = context.sender, sender.role != context.role else {
            return "sender and receiver share a role"
        }
        guard let role = command.url.name.sender else { return nil }
        return role == sender.role ? nil : "this role does not send it"
    }

    /// The command that was signed is the one in the path.
    package static let path = VerificationRule(name: "path", code: .commandShape) { command, _ in
        command.envelope.name == command.url.name ? nil : "the path names another command than the token"
    }

    /// `exp` is after `iat`, by 60 s at most.
    package static let lifetime = VerificationRule(name: "lifetime", code: .commandLifetime) { command, _ in
        let lifetime = command.envelope.expires - command.envelope.issuedAt
        return lifetime > .zero && lifetime <= Envelope.maximumLifetime ? nil : "exp − iat is not within 60 s"
    }

    /// Now is between `iat` and `exp`, give or take the skew.
    package static let freshness = VerificationRule(name: "freshness", code: .commandExpired) { command, context in
        if context.now - context.skew >= command.envelope.expires { return "exp has passed" }
        if context.now + context.skew < command.envelope.issuedAt {
            return Violation("iat is in the future", code: .commandNotYetValid)
        }
        return nil
    }

    /// An answer says what it answers.
    package static let reply = VerificationRule(name: "reply", code: .commandUncorrelated) { command, _ in
        command.url.name.isAnswer && command.envelope.inReplyTo == nil ? "an answer without irt" : nil
    }
}
