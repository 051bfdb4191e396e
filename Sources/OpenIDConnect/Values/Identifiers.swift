package import Basics

/// Who asks: `client_id` (RFC 6749 §2.2, appendix A.1).
package struct ClientID: TextValue {
    package let text: String

    /// - Throws: `invalid-client-id` unless the text is 1 to 255 visible ASCII characters.
    package init(_ text: String) throws(Fault) {
        guard text.isVisibleASCII(atMost: 255) else { throw Fault(.invalidClientID) }
        self.text = text
    }
}

/// Who somebody is at one issuer: `sub` (OpenID Connect Core §2).
///
/// It means nothing without its issuer.
package struct Subject: TextValue {
    package let text: String

    /// - Throws: `invalid-subject` unless the text is 1 to 255 visible ASCII characters.
    package init(_ text: String) throws(Fault) {
        guard text.isVisibleASCII(atMost: 255) else { throw Fault(.invalidSubject) }
        self.text = text
    }
}

/// What ties a response to its request: `state` (RFC 6749 §10.12, appendix A.5).
package struct State: TextValue {
    package let text: String

    /// - Throws: `invalid-state` unless the text is 1 to 512 visible ASCII characters.
    package init(_ text: String) throws(Fault) {
        guard text.isVisibleASCII(atMost: 512) else { throw Fault(.invalidState) }
        self.text = text
    }
}

/// What ties an ID token to its request: `nonce` (OpenID Connect Core §3.1.2.1).
package struct Nonce: TextValue {
    package let text: String

    /// - Throws: `invalid-nonce` unless the text is 1 to 512 visible ASCII characters.
    package init(_ text: String) throws(Fault) {
        guard text.isVisibleASCII(atMost: 512) else { throw Fault(.invalidNonce) }
        self.text = text
    }
}
