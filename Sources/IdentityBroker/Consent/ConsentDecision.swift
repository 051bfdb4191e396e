import Handoff
import Platform

/// Whether a person is asked before a code is made.
enum ConsentDecision: Equatable {
    case ask
    case given

    /// Decides by the client's rule, what was allowed before, and how the request came.
    ///
    /// By an opener a person is always asked: anything of the same user could have opened the URL.
    init(rule: AppRegistryEntry.ConsentRule, isRecorded: Bool, transport: Transport) {
        switch (transport, rule) {
        case (.opener, _), (.direct, .always): self = .ask
        case (.direct, .never): self = .given
        case (.direct, .firstUse): self = isRecorded ? .given : .ask
        }
    }
}
